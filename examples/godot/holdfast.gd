# Saves and configuration for a game in Godot. docs/tutorials/godot.md says how to use it.
extends Node

const URL := "http://127.0.0.1:8787"
const ACCOUNT := "acc_…"
const PROJECT := "hello"
const ENVIRONMENT := "development"
const PUBLISHABLE_KEY := "svcp_…"
const PORT := 8976
const RETURN := "http://127.0.0.1:8976/callback"

const KEPT := "user://holdfast.json" # tokens between starts: whoever has this file is the player

var kept := {} # access_token, refresh_token, and the key of a renewal under way
var save := {}
var version := 0 # of the save; 0 without one
var _loaded := {} # the stored save

func _ready() -> void:
	if FileAccess.file_exists(KEPT):
		var found = JSON.parse_string(FileAccess.get_file_as_string(KEPT))
		if found is Dictionary:
			kept = found

## Whether a player has signed in.
func is_signed_in() -> bool:
	return kept.has("refresh_token")

func read_settings() -> Dictionary:
	var headers := PackedStringArray(["Authorization: ApiKey " + PUBLISHABLE_KEY])
	var answer := await _send(HTTPClient.METHOD_GET, _path("public-state"), headers)
	return answer.body.state if answer.status == 200 else {}

func sign_in() -> bool:
	var verifier := _base64url(Crypto.new().generate_random_bytes(32))
	var state := _base64url(Crypto.new().generate_random_bytes(16))
	var server := TCPServer.new()
	if server.listen(PORT, "127.0.0.1") != OK:
		return false
	OS.shell_open(URL + "/authorize?" + _form({
		"response_type": "code", "client_id": ACCOUNT + "." + PROJECT, "redirect_uri": RETURN,
		"scope": "env:" + ENVIRONMENT, "state": state,
		"code_challenge": _base64url(verifier.sha256_buffer()), "code_challenge_method": "S256",
	}))
	var query := await _wait_for_browser(server)
	server.stop()
	if query.get("state") != state or not query.has("code"):
		return false
	return await _fetch_tokens({
		"grant_type": "authorization_code", "code": query.code,
		"code_verifier": verifier, "redirect_uri": RETURN,
	})

## Repeated with its key, a renewal brings the same tokens.
func renew() -> bool:
	if not is_signed_in():
		return false
	if not kept.has("renewal"):
		kept["renewal"] = _key()
		_keep()
	return await _fetch_tokens({ "grant_type": "refresh_token", "refresh_token": kept.refresh_token }, kept.renewal)

## Returns false if the save cannot be read.
func load_save() -> bool:
	var answer := await _as_player(HTTPClient.METHOD_GET, [])
	if answer.status != 200 and answer.status != 204:
		return false
	save = answer.body.state.get("save", {}) if answer.status == 200 else {}
	version = int(answer.body.version) if answer.status == 200 else 0
	_loaded = save.duplicate(true)
	return true

## Returns false if another device was faster: `load_save()`, merge, and call it again.
func write_save() -> bool:
	var expected := "If-None-Match: *" if version == 0 else "If-Match: \"%d\"" % version
	var ops := _changes()
	if ops.is_empty():
		return true
	var headers := ["Content-Type: application/json", "Idempotency-Key: " + _key(), expected]
	var answer := await _as_player(HTTPClient.METHOD_PATCH, headers, JSON.stringify({ "ops": ops }))
	if answer.status == 200:
		version = int(answer.body.version)
		_loaded = save.duplicate(true)
	return answer.status == 200

## Only changed members, since Godot reads numbers as floats.
func _changes() -> Array:
	if version == 0 or _loaded.is_empty():
		return [{ "op": "add", "path": "/save", "value": save }]
	var ops := []
	for name in save:
		if not _loaded.has(name) or _loaded[name] != save[name]:
			ops.append({ "op": "add", "path": "/save/" + _pointer(name), "value": save[name] })
	for name in _loaded:
		if not save.has(name):
			ops.append({ "op": "remove", "path": "/save/" + _pointer(name) })
	return ops

func _pointer(name: String) -> String:
	return name.replace("~", "~0").replace("/", "~1")

func _key() -> String:
	return _base64url(Crypto.new().generate_random_bytes(16))

func _keep() -> void:
	var file := FileAccess.open(KEPT + ".new", FileAccess.WRITE)
	file.store_string(JSON.stringify(kept))
	file.close()
	DirAccess.rename_absolute(KEPT + ".new", KEPT)

func _as_player(method: int, headers: Array, body := "") -> Dictionary:
	for attempt in 2:
		var all := PackedStringArray(headers + ["Authorization: Bearer " + str(kept.get("access_token", ""))])
		var answer := await _send(method, _path("user-state"), all, body)
		if answer.status != 401 or attempt == 1 or not await renew():
			return answer
	return {}

func _fetch_tokens(fields: Dictionary, key := "") -> bool:
	fields["client_id"] = ACCOUNT + "." + PROJECT
	var headers := PackedStringArray(["Content-Type: application/x-www-form-urlencoded"])
	if key != "":
		headers.append("Idempotency-Key: " + key)
	var answer := await _send(HTTPClient.METHOD_POST, "/v1/auth/token", headers, _form(fields))
	if answer.body.get("error") == "invalid_grant":
		kept = {} # the sign-in has ended
		_keep()
	if answer.status != 200:
		return false
	kept = { "access_token": answer.body.access_token, "refresh_token": answer.body.refresh_token }
	_keep()
	return true

func _path(kind: String) -> String:
	return "/v1/%s/projects/%s/%s/%s" % [ACCOUNT, PROJECT, kind, ENVIRONMENT]

## Repeats a request with its key until there is a response. It counts once.
func _send(method: int, path: String, headers: PackedStringArray, body := "") -> Dictionary:
	for attempt in 5:
		var request := HTTPRequest.new()
		request.timeout = 15
		add_child(request)
		var answer := [HTTPRequest.RESULT_CANT_CONNECT, 0, [], PackedByteArray()]
		if request.request(URL + path, headers, method, body) == OK:
			answer = await request.request_completed
		request.queue_free()
		if answer[0] == HTTPRequest.RESULT_SUCCESS and answer[1] != 429 and answer[1] != 503:
			var parsed = JSON.parse_string(answer[3].get_string_from_utf8())
			return { "status": answer[1], "body": parsed if parsed is Dictionary else {} }
		await get_tree().create_timer(attempt + 1).timeout
	return { "status": 0, "body": {} }

func _wait_for_browser(server: TCPServer) -> Dictionary:
	while not server.is_connection_available():
		await get_tree().process_frame
	var browser := server.take_connection()
	while browser.get_available_bytes() == 0:
		await get_tree().process_frame
		browser.poll()
	var line := browser.get_utf8_string(browser.get_available_bytes()).split("\r\n")[0]
	browser.put_data("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nBack to the game.".to_utf8_buffer())
	browser.disconnect_from_host()
	var fields := {}
	for part in line.get_slice(" ", 1).get_slice("?", 1).split("&"):
		fields[part.get_slice("=", 0)] = part.get_slice("=", 1).uri_decode()
	return fields

func _form(fields: Dictionary) -> String:
	return "&".join(PackedStringArray(fields.keys().map(func(name): return name + "=" + str(fields[name]).uri_encode())))

func _base64url(bytes: PackedByteArray) -> String:
	return Marshalls.raw_to_base64(bytes).replace("+", "-").replace("/", "_").trim_suffix("=").trim_suffix("=")
