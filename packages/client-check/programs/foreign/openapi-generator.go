// The round of calls with a client by openapi-generator for Go.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"

	client "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func demand[Value any](value Value, _ *http.Response, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

// modelOf is the body of a call that was refused.
func modelOf[Model any](err error) Model {
	var failure *client.GenericOpenAPIError
	if !errors.As(err, &failure) {
		panic(fmt.Sprint("the call was not refused: ", err))
	}
	return failure.Model().(Model)
}

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Getenv("HOLDFAST_URL")}}
	api := client.NewAPIClient(configuration)
	accountId, slug := os.Getenv("HOLDFAST_ACCOUNT_ID"), os.Getenv("ROUND_SLUG")
	developer := context.WithValue(context.Background(), client.ContextAccessToken, os.Getenv("HOLDFAST_DEVELOPER_TOKEN"))

	demand(api.ProjectsAPI.CreateProject(developer, accountId).CreateProjectBody(*client.NewCreateProjectBody(slug)).Execute())
	key := demand(api.ProjectsAPI.CreateApiKey(developer, accountId, slug).
		CreateApiKeyBody(*client.NewCreateApiKeyBody("round")).Execute())

	project := context.WithValue(context.Background(), client.ContextAPIKeys,
		map[string]client.APIKey{"apiKey": {Key: key.ApiKey, Prefix: "ApiKey"}})
	states, env := api.PublicStateAPI, client.DEVELOPMENT
	created := demand(states.ReplacePublicState(project, accountId, slug, env).IfNoneMatch("*").
		CreateConfigBody(*client.NewCreateConfigBody(map[string]any{"theme": "dark", "old": true})).Execute())
	read := demand(states.ReadPublicState(project, accountId, slug, env).Execute())

	patch := func(version string, ops ...client.PatchOperationBody) (*client.PublicStateBody, *http.Response, error) {
		return states.PatchPublicState(project, accountId, slug, env).IfMatch(version).
			PatchStateBody(*client.NewPatchStateBody(ops)).Execute()
	}
	operations := []client.PatchOperationBody{
		{Op: "replace", Path: "/theme", Value: "light"},
		{Op: "add", Path: "/nothing", Value: json.RawMessage("null")},
		{Op: "remove", Path: "/old"},
	}
	patched := demand(patch(`"1"`, operations...))
	_, _, stale := patch(`"1"`, operations...)
	_, _, refused := patch(`"2"`, client.PatchOperationBody{Op: "remove", Path: "/missing"})
	_, foreign, _ := states.ReadPublicState(project, accountId, os.Getenv("HOLDFAST_PROJECT"), env).Execute()
	usage := demand(api.AccountsAPI.ReadUsage(developer, accountId).Execute())
	_, _, token := api.SignInAPI.ExchangeToken(context.Background()).
		GrantType("refresh_token").ClientId("svc-developer").RefreshToken("none").Execute()

	findings := map[string]any{
		"created":   created.Version,
		"read":      read.Version,
		"theme":     read.State["theme"],
		"patched":   patched.Version,
		"conflict":  modelOf[client.ConflictBody](stale).CurrentVersion.Get(),
		"refused":   modelOf[client.PatchErrorBody](refused).Error,
		"forbidden": foreign.StatusCode,
		"requests":  usage.ApiRequests.Used > 0,
		"token":     modelOf[client.TokenErrorBody](token).Error,
	}
	text, err := json.Marshal(findings)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}
