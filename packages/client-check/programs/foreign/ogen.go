// The round of calls with a client by ogen.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/go-faster/jx"
	"github.com/ogen-go/ogen/ogenerrors"

	"round/client"
)

// credentials are those that are given; all other ways to show who one is are passed over.
type credentials struct{ token, key string }

func (c credentials) Developer(context.Context, client.OperationName) (client.Developer, error) {
	if c.token == "" {
		return client.Developer{}, ogenerrors.ErrSkipClientSecurity
	}
	return client.Developer{Token: c.token}, nil
}

func (c credentials) ApiKey(context.Context, client.OperationName) (client.ApiKey, error) {
	if c.key == "" {
		return client.ApiKey{}, ogenerrors.ErrSkipClientSecurity
	}
	return client.ApiKey{APIKey: "ApiKey " + c.key}, nil
}

func (c credentials) EndUser(context.Context, client.OperationName) (client.EndUser, error) {
	return client.EndUser{}, ogenerrors.ErrSkipClientSecurity
}

func (c credentials) DeveloperOAuth2(context.Context, client.OperationName) (client.DeveloperOAuth2, error) {
	return client.DeveloperOAuth2{}, ogenerrors.ErrSkipClientSecurity
}

func (c credentials) EndUserOAuth2(context.Context, client.OperationName) (client.EndUserOAuth2, error) {
	return client.EndUserOAuth2{}, ogenerrors.ErrSkipClientSecurity
}

func demand[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	url := os.Getenv("HOLDFAST_URL")
	accountId, slug := client.AccountId(os.Getenv("HOLDFAST_ACCOUNT_ID")), client.Slug(os.Getenv("ROUND_SLUG"))
	developer := demand(client.NewClient(url, credentials{token: os.Getenv("HOLDFAST_DEVELOPER_TOKEN")}))

	demand(developer.CreateProject(ctx, &client.CreateProjectBody{Slug: slug}, client.CreateProjectParams{AccountId: accountId}))
	key := demand(developer.CreateApiKey(ctx, &client.CreateApiKeyBody{Name: "round"},
		client.CreateApiKeyParams{AccountId: accountId, Slug: slug})).(*client.CreatedApiKeyBodyHeaders).Response

	project := demand(client.NewClient(url, credentials{key: key.ApiKey}))
	env := client.EnvironmentNameDevelopment
	state := client.State{"theme": jx.Raw(`"dark"`), "old": jx.Raw("true")}
	created := demand(project.ReplacePublicState(ctx, &client.CreateConfigBody{State: state}, client.ReplacePublicStateParams{
		AccountId: accountId, Slug: slug, Env: env,
		IfNoneMatch: client.NewOptIfNoneMatch(client.IfNoneMatch("*")),
	})).(*client.PublicStateBodyHeaders)
	read := demand(project.ReadPublicState(ctx,
		client.ReadPublicStateParams{AccountId: accountId, Slug: slug, Env: env})).(*client.PublicStateBodyHeaders)

	patch := func(version string, ops []client.PatchOperationBody) client.PatchPublicStateRes {
		return demand(project.PatchPublicState(ctx, &client.PatchStateBody{Ops: ops}, client.PatchPublicStateParams{
			AccountId: accountId, Slug: slug, Env: env, IfMatch: client.NewOptString(version),
		}))
	}
	operations := []client.PatchOperationBody{
		{Op: client.PatchOperationBodyOpReplace, Path: "/theme", Value: jx.Raw(`"light"`)},
		{Op: client.PatchOperationBodyOpAdd, Path: "/nothing", Value: jx.Raw("null")},
		{Op: client.PatchOperationBodyOpRemove, Path: "/old"},
	}
	patched := patch(created.ETag, operations).(*client.PublicStateBodyHeaders)
	stale := patch(created.ETag, operations).(*client.VersionConflictHeaders)
	missing := []client.PatchOperationBody{{Op: client.PatchOperationBodyOpRemove, Path: "/missing"}}
	refused := patch(patched.ETag, missing).(*client.PatchErrorHeaders)
	foreign := demand(project.ReadPublicState(ctx, client.ReadPublicStateParams{
		AccountId: accountId, Slug: client.Slug(os.Getenv("HOLDFAST_PROJECT")), Env: env,
	}))
	_, isForbidden := foreign.(*client.ReadPublicStateForbidden)
	usage := demand(developer.ReadUsage(ctx, client.ReadUsageParams{AccountId: accountId})).(*client.UsageBodyHeaders)
	token := demand(developer.ExchangeToken(ctx, &client.TokenForm{
		GrantType: client.TokenFormGrantTypeRefreshToken, ClientID: "svc-developer", RefreshToken: client.NewOptString("none"),
	})).(*client.TokenErrorHeaders)

	var theme string
	demand(theme, json.Unmarshal(read.Response.State["theme"], &theme))
	findings := map[string]any{
		"created":   created.Response.Version,
		"read":      read.Response.Version,
		"theme":     theme,
		"patched":   patched.Response.Version,
		"conflict":  stale.Response.CurrentVersion.Value,
		"refused":   refused.Response.Error,
		"forbidden": map[bool]int{true: 403}[isForbidden],
		"requests":  usage.Response.ApiRequests.Used > 0,
		"token":     token.Response.Error,
	}
	fmt.Println(string(demand(json.Marshal(findings))))
}
