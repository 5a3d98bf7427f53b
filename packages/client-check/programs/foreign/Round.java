// The round of calls with a client by openapi-generator for Java.
import com.google.gson.Gson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.ApiResponse;
import org.openapitools.client.JSON;
import org.openapitools.client.api.AccountsApi;
import org.openapitools.client.api.ProjectsApi;
import org.openapitools.client.api.PublicStateApi;
import org.openapitools.client.api.SignInApi;
import org.openapitools.client.auth.ApiKeyAuth;
import org.openapitools.client.auth.HttpBearerAuth;
import org.openapitools.client.model.ConflictBody;
import org.openapitools.client.model.CreateApiKeyBody;
import org.openapitools.client.model.CreateConfigBody;
import org.openapitools.client.model.CreateProjectBody;
import org.openapitools.client.model.CreatedApiKeyBody;
import org.openapitools.client.model.EnvironmentName;
import org.openapitools.client.model.PatchErrorBody;
import org.openapitools.client.model.PatchOperationBody;
import org.openapitools.client.model.PatchStateBody;
import org.openapitools.client.model.PublicStateBody;
import org.openapitools.client.model.TokenErrorBody;
import org.openapitools.client.model.UsageBody;

public class Round {
    interface Call {
        Object run() throws ApiException;
    }

    static ApiException failureOf(Call call) throws ApiException {
        try {
            call.run();
        } catch (ApiException exception) {
            return exception;
        }
        throw new IllegalStateException("the call succeeded");
    }

    public static void main(String[] args) throws ApiException {
        Map<String, String> env = System.getenv();
        String accountId = env.get("HOLDFAST_ACCOUNT_ID");
        String slug = env.get("ROUND_SLUG");
        ApiClient developer = new ApiClient().setBasePath(env.get("HOLDFAST_URL"));
        ((HttpBearerAuth) developer.getAuthentication("developer")).setBearerToken(env.get("HOLDFAST_DEVELOPER_TOKEN"));

        ProjectsApi projects = new ProjectsApi(developer);
        projects.createProject(accountId, new CreateProjectBody().slug(slug));
        CreatedApiKeyBody key = projects.createApiKey(accountId, slug, new CreateApiKeyBody().name("round"));

        ApiClient project = new ApiClient().setBasePath(env.get("HOLDFAST_URL"));
        ((ApiKeyAuth) project.getAuthentication("apiKey")).setApiKey("ApiKey " + key.getApiKey());
        PublicStateApi states = new PublicStateApi(project);
        EnvironmentName where = EnvironmentName.DEVELOPMENT;
        CreateConfigBody first = new CreateConfigBody().state(Map.of("theme", "dark", "old", true));
        ApiResponse<PublicStateBody> created =
                states.replacePublicStateWithHttpInfo(accountId, slug, where, first, null, "*", null);
        PublicStateBody read = states.readPublicState(accountId, slug, where, null);

        PatchStateBody patch = new PatchStateBody()
                .addOpsItem(new PatchOperationBody().op(PatchOperationBody.OpEnum.REPLACE).path("/theme").value("light"))
                .addOpsItem(new PatchOperationBody().op(PatchOperationBody.OpEnum.ADD).path("/levels").value(List.of(1, 2)))
                .addOpsItem(new PatchOperationBody().op(PatchOperationBody.OpEnum.REMOVE).path("/old"));
        String tag = created.getHeaders().get("etag").get(0);
        PublicStateBody patched = states.patchPublicState(accountId, slug, where, patch, tag, null, null);
        ApiException stale =
                failureOf(() -> states.patchPublicState(accountId, slug, where, patch, tag, null, null));
        PatchStateBody missing = new PatchStateBody()
                .addOpsItem(new PatchOperationBody().op(PatchOperationBody.OpEnum.REMOVE).path("/missing"));
        ApiException refused =
                failureOf(() -> states.patchPublicState(accountId, slug, where, missing, "\"2\"", null, null));
        ApiException foreign =
                failureOf(() -> states.readPublicState(accountId, env.get("HOLDFAST_PROJECT"), where, null));
        UsageBody usage = new AccountsApi(developer).readUsage(accountId);
        ApiException token = failureOf(() -> new SignInApi(new ApiClient().setBasePath(env.get("HOLDFAST_URL")))
                .exchangeToken("refresh_token", "svc-developer", null, null, null, "none", null, null));

        Gson gson = JSON.getGson();
        Map<String, Object> findings = new LinkedHashMap<>();
        findings.put("created", created.getData().getVersion());
        findings.put("read", read.getVersion());
        findings.put("theme", read.getState().get("theme"));
        findings.put("patched", patched.getVersion());
        findings.put("conflict", gson.fromJson(stale.getResponseBody(), ConflictBody.class).getCurrentVersion());
        findings.put("refused", gson.fromJson(refused.getResponseBody(), PatchErrorBody.class).getError().getValue());
        findings.put("forbidden", foreign.getCode());
        findings.put("requests", usage.getApiRequests().getUsed() > 0);
        findings.put("token", gson.fromJson(token.getResponseBody(), TokenErrorBody.class).getError().getValue());
        System.out.println(gson.toJson(findings));
        System.exit(0); // threads of the HTTP client would keep the program for a minute
    }
}
