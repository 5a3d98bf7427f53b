"""The round of calls with a client by openapi-python-client."""

import json
import os

from generated import AuthenticatedClient, Client
from generated.api.accounts import read_usage
from generated.api.projects import create_api_key, create_project
from generated.api.public_state import patch_public_state, read_public_state, replace_public_state
from generated.api.sign_in import exchange_token
from generated.models import (
    ConflictBody,
    CreateApiKeyBody,
    CreateConfigBody,
    CreateProjectBody,
    CreatedApiKeyBody,
    EnvironmentName,
    PatchErrorBody,
    PatchOperationBody,
    PatchOperationBodyOp,
    PatchStateBody,
    PublicStateBody,
    ReplacePublicStateIfNoneMatch,
    State,
    TokenErrorBody,
    TokenForm,
    TokenFormGrantType,
    UsageBody,
)

url = os.environ["HOLDFAST_URL"]
account_id = os.environ["HOLDFAST_ACCOUNT_ID"]
slug = os.environ["ROUND_SLUG"]
developer = AuthenticatedClient(base_url=url, token=os.environ["HOLDFAST_DEVELOPER_TOKEN"])

create_project.sync(account_id, client=developer, body=CreateProjectBody(slug=slug))
key = create_api_key.sync(account_id, slug, client=developer, body=CreateApiKeyBody(name="round"))
assert isinstance(key, CreatedApiKeyBody), key

project = AuthenticatedClient(base_url=url, token=key.api_key, prefix="ApiKey")
where = (account_id, slug, EnvironmentName.DEVELOPMENT)
created = replace_public_state.sync(
    *where,
    client=project,
    body=CreateConfigBody(state=State.from_dict({"theme": "dark", "old": True})),
    if_none_match=ReplacePublicStateIfNoneMatch.ANY,
)
read = read_public_state.sync(*where, client=project)
assert isinstance(created, PublicStateBody), created
assert isinstance(read, PublicStateBody), read

operations = [
    PatchOperationBody(op=PatchOperationBodyOp.REPLACE, path="/theme", value="light"),
    PatchOperationBody(op=PatchOperationBodyOp.ADD, path="/nothing", value=None),
    PatchOperationBody(op=PatchOperationBodyOp.REMOVE, path="/old"),
]


def patch(version: str, ops: list[PatchOperationBody]):
    return patch_public_state.sync(*where, client=project, body=PatchStateBody(ops=ops), if_match=version)


patched = patch('"1"', operations)
assert isinstance(patched, PublicStateBody), patched
stale = patch('"1"', operations)
assert isinstance(stale, ConflictBody), stale
refused = patch('"2"', [PatchOperationBody(op=PatchOperationBodyOp.REMOVE, path="/missing")])
assert isinstance(refused, PatchErrorBody), refused
foreign = read_public_state.sync_detailed(
    account_id, os.environ["HOLDFAST_PROJECT"], EnvironmentName.DEVELOPMENT, client=project
)
usage = read_usage.sync(account_id, client=developer)
assert isinstance(usage, UsageBody), usage
token = exchange_token.sync(
    client=Client(base_url=url),
    body=TokenForm(grant_type=TokenFormGrantType.REFRESH_TOKEN, client_id="svc-developer", refresh_token="none"),
)
assert isinstance(token, TokenErrorBody), token

print(
    json.dumps(
        {
            "created": created.version,
            "read": read.version,
            "theme": read.state["theme"],
            "patched": patched.version,
            "conflict": stale.current_version,
            "refused": refused.error,
            "forbidden": foreign.status_code,
            "requests": usage.api_requests.used > 0,
            "token": token.error,
        }
    )
)
