// The round of calls with a client by openapi-generator for Kotlin.
import org.openapitools.client.apis.AccountsApi
import org.openapitools.client.apis.ProjectsApi
import org.openapitools.client.apis.PublicStateApi
import org.openapitools.client.apis.SignInApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.models.ConflictBody
import org.openapitools.client.models.CreateApiKeyBody
import org.openapitools.client.models.CreateConfigBody
import org.openapitools.client.models.CreateProjectBody
import org.openapitools.client.models.EnvironmentName
import org.openapitools.client.models.PatchErrorBody
import org.openapitools.client.models.PatchOperationBody
import org.openapitools.client.models.PatchStateBody
import org.openapitools.client.models.TokenErrorBody

fun failureOf(call: () -> Any?): ClientException =
    try {
        call()
        throw IllegalStateException("the call succeeded")
    } catch (exception: ClientException) {
        exception
    }

inline fun <reified Body> bodyOf(failure: ClientException): Body {
    val text = (failure.response as ClientError<*>).body as String
    return Serializer.moshi.adapter(Body::class.java).fromJson(text)!!
}

fun main() {
    val env = System.getenv()
    val url = env.getValue("HOLDFAST_URL")
    val accountId = env.getValue("HOLDFAST_ACCOUNT_ID")
    val slug = env.getValue("ROUND_SLUG")
    val token = env.getValue("HOLDFAST_DEVELOPER_TOKEN")

    ApiClient.accessToken = token
    val projects = ProjectsApi(url)
    projects.createProject(accountId, CreateProjectBody(slug = slug))
    val key = projects.createApiKey(accountId, slug, CreateApiKeyBody(name = "round"))
    val usage = AccountsApi(url).readUsage(accountId)

    ApiClient.accessToken = null
    ApiClient.apiKey["Authorization"] = key.apiKey
    ApiClient.apiKeyPrefix["Authorization"] = "ApiKey"
    val states = PublicStateApi(url)
    val where = EnvironmentName.development
    val created =
        states.replacePublicState(
            accountId,
            slug,
            where,
            CreateConfigBody(state = mapOf("theme" to "dark", "old" to true)),
            ifNoneMatch = PublicStateApi.IfNoneMatchReplacePublicState.Any,
        )
    val read = states.readPublicState(accountId, slug, where)
    val patch =
        PatchStateBody(
            listOf(
                PatchOperationBody(PatchOperationBody.Op.replace, "/theme", "light"),
                PatchOperationBody(PatchOperationBody.Op.add, "/levels", listOf(1, 2)),
                PatchOperationBody(PatchOperationBody.Op.remove, "/old"),
            ),
        )
    val patched = states.patchPublicState(accountId, slug, where, patch, ifMatch = "\"1\"")
    val stale = failureOf { states.patchPublicState(accountId, slug, where, patch, ifMatch = "\"1\"") }
    val missing = PatchStateBody(listOf(PatchOperationBody(PatchOperationBody.Op.remove, "/missing")))
    val refused = failureOf { states.patchPublicState(accountId, slug, where, missing, ifMatch = "\"2\"") }
    val foreign = failureOf { states.readPublicState(accountId, env.getValue("HOLDFAST_PROJECT"), where) }
    val spent =
        failureOf {
            SignInApi(url)
                .exchangeToken(SignInApi.GrantTypeExchangeToken.refresh_token, "svc-developer", refreshToken = "none")
        }

    val findings =
        mapOf(
            "created" to created.version,
            "read" to read.version,
            "theme" to read.state["theme"],
            "patched" to patched.version,
            "conflict" to bodyOf<ConflictBody>(stale).currentVersion,
            "refused" to bodyOf<PatchErrorBody>(refused).error.value,
            "forbidden" to foreign.statusCode,
            "requests" to (usage.apiRequests.used > 0),
            "token" to bodyOf<TokenErrorBody>(spent).error.value,
        )
    println(Serializer.moshi.adapter(Map::class.java).toJson(findings))
}
