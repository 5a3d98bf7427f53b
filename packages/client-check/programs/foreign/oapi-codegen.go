// The round of calls with a client by oapi-codegen.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"round/client"
)

func credential(value string) client.ClientOption {
	return client.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", value)
		return nil
	})
}

func demand[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx := context.Background()
	url, accountId, slug := os.Getenv("HOLDFAST_URL"), os.Getenv("HOLDFAST_ACCOUNT_ID"), os.Getenv("ROUND_SLUG")
	developer := demand(client.NewClientWithResponses(url, credential("Bearer "+os.Getenv("HOLDFAST_DEVELOPER_TOKEN"))))

	demand(developer.CreateProjectWithResponse(ctx, accountId, client.CreateProjectBody{Slug: slug}))
	key := demand(developer.CreateApiKeyWithResponse(ctx, accountId, slug, client.CreateApiKeyBody{Name: "round"})).JSON201

	project := demand(client.NewClientWithResponses(url, credential("ApiKey "+key.ApiKey)))
	asterisk := client.ReplacePublicStateParamsIfNoneMatch("*")
	created := demand(project.ReplacePublicStateWithResponse(ctx, accountId, slug, client.Development,
		&client.ReplacePublicStateParams{IfNoneMatch: &asterisk},
		client.CreateConfigBody{State: client.State{"theme": "dark", "old": true}}))
	read := demand(project.ReadPublicStateWithResponse(ctx, accountId, slug, client.Development, nil))

	patch := func(version string, ops []client.PatchOperationBody) *client.PatchPublicStateResponse {
		return demand(project.PatchPublicStateWithResponse(ctx, accountId, slug, client.Development,
			&client.PatchPublicStateParams{IfMatch: &version}, client.PatchStateBody{Ops: ops}))
	}
	operations := []client.PatchOperationBody{
		{Op: client.Replace, Path: "/theme", Value: "light"},
		{Op: client.Add, Path: "/nothing", Value: json.RawMessage("null")},
		{Op: client.Remove, Path: "/old"},
	}
	patched := patch(`"1"`, operations)
	stale := patch(`"1"`, operations)
	refused := patch(`"2"`, []client.PatchOperationBody{{Op: client.Remove, Path: "/missing"}})
	foreign := demand(project.ReadPublicStateWithResponse(ctx, accountId, os.Getenv("HOLDFAST_PROJECT"), client.Development, nil))
	usage := demand(developer.ReadUsageWithResponse(ctx, accountId))
	none := "none"
	token := demand(developer.ExchangeTokenWithFormdataBodyWithResponse(ctx, client.TokenForm{
		GrantType: client.RefreshToken, ClientId: "svc-developer", RefreshToken: &none,
	}))

	findings := map[string]any{
		"created":   created.JSON200.Version,
		"read":      read.JSON200.Version,
		"theme":     read.JSON200.State["theme"],
		"patched":   patched.JSON200.Version,
		"conflict":  *stale.JSON412.CurrentVersion,
		"refused":   refused.JSON400.Error,
		"forbidden": foreign.StatusCode(),
		"requests":  usage.JSON200.ApiRequests.Used > 0,
		"token":     token.JSON400.Error,
	}
	fmt.Println(string(demand(json.Marshal(findings))))
}
