// Saves and configuration for a game in Unity. docs/tutorials/unity.md says how to use it.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Numerics;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;
using UnityEngine;

public class Holdfast
{
    const string Url = "http://127.0.0.1:8787";
    const string Account = "acc_…";
    const string Project = "hello";
    const string Environment = "development";
    const string PublishableKey = "svcp_…";
    const string Return = "http://127.0.0.1:8976/callback";

    // A request without a response is repeated after this time.
    static readonly HttpClient Http = new HttpClient { Timeout = TimeSpan.FromSeconds(15) };
    // Keys and tokens between starts. Whoever has this file is the player.
    static string KeptFile => Path.Combine(Application.persistentDataPath, "holdfast.json");
    JObject kept;
    string nonce = "";

    public JObject Save { get; private set; } = new JObject();
    /// <summary>The version of the save; 0 without one.</summary>
    public long Version { get; private set; }

    public Holdfast()
    {
        kept = File.Exists(KeptFile) ? Parse(File.ReadAllText(KeptFile)) : new JObject();
    }

    /// <summary>Whether a player has signed in.</summary>
    public bool IsSignedIn => kept["refresh_token"] != null;

    public async Task<JObject> ReadSettings()
    {
        var (status, body) = await Send("GET", PathOf("public-state"), "ApiKey " + PublishableKey);
        return status == 200 ? (JObject)body["state"] : new JObject();
    }

    public async Task<bool> SignIn()
    {
        string verifier = Random(32), state = Random(16);
        Application.OpenURL($"{Url}/authorize?response_type=code&client_id={Account}.{Project}"
            + $"&redirect_uri={Uri.EscapeDataString(Return)}&scope=env:{Environment}&state={state}"
            + $"&code_challenge={Base64Url(Sha256(verifier))}&code_challenge_method=S256");
        using (var listener = new HttpListener())
        {
            listener.Prefixes.Add("http://127.0.0.1:8976/");
            listener.Start();
            var waiting = listener.GetContextAsync();
            if (await Task.WhenAny(waiting, Task.Delay(TimeSpan.FromMinutes(10))) != waiting) return false;
            var browser = await waiting;
            var query = browser.Request.QueryString;
            var page = Encoding.UTF8.GetBytes("Back to the game.");
            await browser.Response.OutputStream.WriteAsync(page, 0, page.Length);
            browser.Response.Close();
            if (query["state"] != state || query["code"] == null) return false;
            return await FetchTokens(new Dictionary<string, string> {
                { "grant_type", "authorization_code" }, { "code", query["code"] },
                { "code_verifier", verifier }, { "redirect_uri", Return },
            });
        }
    }

    /// <summary>Plays without a form: the device's key, made the first time, identifies the player.</summary>
    public async Task<bool> PlayAsGuest()
    {
        if (kept["key"] == null) { kept["key"] = P256.NewKey(); Keep(); }
        for (var attempt = 0; ; attempt++)
        {
            var client = $"{Account}.{Project}";
            var claims = new JObject {
                ["aud"] = Url, ["client_id"] = client, ["scope"] = "env:" + Environment, ["nonce"] = nonce, ["jti"] = Random(16),
            };
            var isIn = await FetchTokens(new Dictionary<string, string> {
                { "grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer" }, { "scope", "env:" + Environment },
                { "assertion", P256.SignToken((string)kept["key"], claims) },
            });
            if (isIn || attempt == 1) return isIn; // the first response brings the nonce
        }
    }

    /// <summary>Repeated with its key, a renewal brings the same tokens.</summary>
    public async Task<bool> Renew()
    {
        if (!IsSignedIn) return await PlayAsGuest();
        if (kept["renewal"] == null) { kept["renewal"] = Random(16); Keep(); }
        return await FetchTokens(new Dictionary<string, string> {
            { "grant_type", "refresh_token" }, { "refresh_token", (string)kept["refresh_token"] },
        }, (string)kept["renewal"]);
    }

    public async Task LoadSave()
    {
        var (status, body) = await AsPlayer("GET");
        if (status != 200 && status != 204) throw new IOException($"the save cannot be read: {status}");
        Save = status == 200 ? (JObject)body["state"]["save"] ?? new JObject() : new JObject();
        Version = status == 200 ? (long)body["version"] : 0;
    }

    /// <summary>False if another device was faster: LoadSave, merge, and call it again.</summary>
    public async Task<bool> WriteSave()
    {
        var ops = new JArray(new JObject { ["op"] = "add", ["path"] = "/save", ["value"] = Save });
        var (status, body) = await AsPlayer("PATCH", new JObject { ["ops"] = ops }, Random(16));
        if (status == 412 && body["appliedVersion"] != null) return false; // it counted; others have written since
        if (status != 200 && status != 412) throw new IOException($"the save cannot be written: {status} {body["message"]}");
        if (status == 200) Version = (long)body["version"];
        return status == 200;
    }

    async Task<(int, JObject)> AsPlayer(string method, JObject body = null, string key = null)
    {
        var answer = await Send(method, PathOf("user-state"), "Bearer " + kept["access_token"], body, key);
        if (answer.Item1 != 401 || !await Renew()) return answer;
        return await Send(method, PathOf("user-state"), "Bearer " + kept["access_token"], body, key);
    }

    async Task<bool> FetchTokens(Dictionary<string, string> fields, string key = null)
    {
        fields["client_id"] = $"{Account}.{Project}";
        var (status, body) = await SendAgain(() =>
        {
            var request = new HttpRequestMessage(HttpMethod.Post, Url + "/v1/auth/token");
            if (key != null) request.Headers.TryAddWithoutValidation("Idempotency-Key", key);
            request.Content = new FormUrlEncodedContent(fields);
            return request;
        });
        if ((string)body["error"] == "invalid_grant") kept.Remove("refresh_token"); // the sign-in has ended
        foreach (var name in new[] { "access_token", "refresh_token" }) if (body[name] != null) kept[name] = body[name];
        if (status == 200 || (string)body["error"] == "invalid_grant") { kept.Remove("renewal"); Keep(); }
        return status == 200;
    }

    /// <summary>Writes and moves a new file, so a crash leaves the old or the new one.</summary>
    void Keep()
    {
        File.WriteAllText(KeptFile + ".new", kept.ToString(Formatting.None));
        if (File.Exists(KeptFile)) File.Replace(KeptFile + ".new", KeptFile, null);
        else File.Move(KeptFile + ".new", KeptFile);
    }

    Task<(int, JObject)> Send(string method, string path, string authorization, JObject body = null, string key = null)
    {
        return SendAgain(() =>
        {
            var request = new HttpRequestMessage(new HttpMethod(method), Url + path);
            request.Headers.TryAddWithoutValidation("Authorization", authorization);
            if (body == null) return request;
            request.Content = new StringContent(body.ToString(Formatting.None), Encoding.UTF8, "application/json");
            request.Headers.TryAddWithoutValidation("Idempotency-Key", key);
            if (Version == 0) request.Headers.TryAddWithoutValidation("If-None-Match", "*");
            else request.Headers.TryAddWithoutValidation("If-Match", $"\"{Version}\"");
            return request;
        });
    }

    /// <summary>Repeats a request with its key until there is a response. It counts once.</summary>
    async Task<(int, JObject)> SendAgain(Func<HttpRequestMessage> make)
    {
        for (var attempt = 1; ; attempt++)
        {
            var wait = TimeSpan.FromSeconds(attempt);
            try
            {
                using (var request = make())
                using (var answer = await Http.SendAsync(request))
                {
                    var text = await answer.Content.ReadAsStringAsync();
                    var status = (int)answer.StatusCode;
                    if (answer.Headers.Contains("Auth-Nonce")) nonce = answer.Headers.GetValues("Auth-Nonce").First();
                    if (attempt == 5 || (status != 429 && status != 503)) return (status, Parse(text));
                    wait = answer.Headers.RetryAfter?.Delta ?? wait;
                }
            }
            catch (Exception failure) when (attempt < 5 && (failure is HttpRequestException || failure is TaskCanceledException)) { }
            await Task.Delay(wait);
        }
    }

    /// <summary>Keeps dates as texts.</summary>
    static JObject Parse(string text)
    {
        if (text == "") return new JObject();
        try
        {
            return JObject.Load(new JsonTextReader(new StringReader(text)) { DateParseHandling = DateParseHandling.None });
        }
        catch (JsonException) { return new JObject(); } // a proxy's page
    }

    static string PathOf(string kind) => $"/v1/{Account}/projects/{Project}/{kind}/{Environment}";

    internal static string Random(int bytes) => Base64Url(RandomBytes(bytes));

    internal static byte[] RandomBytes(int bytes)
    {
        var buffer = new byte[bytes];
        using (var random = RandomNumberGenerator.Create()) random.GetBytes(buffer);
        return buffer;
    }

    internal static byte[] Sha256(string text)
    {
        using (var sha = SHA256.Create()) return sha.ComputeHash(Encoding.UTF8.GetBytes(text));
    }

    internal static string Base64Url(byte[] bytes) =>
        Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_');
}

/// <summary>Guest signatures (ES256). .NET's ECDsa does not work in every Unity player.</summary>
static class P256
{
    static readonly BigInteger P = Number("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff");
    static readonly BigInteger N = Number("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");
    static readonly BigInteger[] G = {
        Number("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
        Number("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"),
    };

    static BigInteger Number(string hex) => BigInteger.Parse("0" + hex, NumberStyles.HexNumber);
    static BigInteger Mod(BigInteger value, BigInteger by) => (value % by + by) % by;
    static BigInteger Inverse(BigInteger value, BigInteger by) => BigInteger.ModPow(Mod(value, by), by - 2, by);
    static string Hex(BigInteger value) => value.ToString("x").TrimStart('0').PadLeft(64, '0');
    static string Text(params BigInteger[] values) => Holdfast.Base64Url(Enumerable.Range(0, 32 * values.Length)
        .Select(at => Convert.ToByte(string.Concat(values.Select(Hex)).Substring(2 * at, 2), 16)).ToArray());
    static BigInteger Drawn() => Number(BitConverter.ToString(Holdfast.RandomBytes(40)).Replace("-", "")) % (N - 1) + 1;

    static BigInteger[] Sum(BigInteger[] a, BigInteger[] b)
    {
        if (a == null) return b;
        var isSame = a[0] == b[0];
        if (isSame && a[1] != b[1]) return null;
        var slope = isSame ? (3 * a[0] * a[0] - 3) * Inverse(2 * a[1], P) : (b[1] - a[1]) * Inverse(b[0] - a[0], P);
        var x = Mod(slope * slope - a[0] - b[0], P);
        return new[] { x, Mod(slope * (a[0] - x) - a[1], P) };
    }

    static BigInteger[] Times(BigInteger factor)
    {
        BigInteger[] sum = null, power = G;
        for (; factor > 0; factor >>= 1, power = Sum(power, power)) if (!factor.IsEven) sum = Sum(sum, power);
        return sum;
    }

    public static string NewKey() => Hex(Drawn());

    public static string SignToken(string key, JObject claims)
    {
        var secret = Number(key);
        var point = Times(secret);
        var jwk = new JObject { ["crv"] = "P-256", ["kty"] = "EC", ["x"] = Text(point[0]), ["y"] = Text(point[1]) };
        claims["iss"] = claims["sub"] = Holdfast.Base64Url(Holdfast.Sha256(jwk.ToString(Formatting.None)));
        var header = new JObject { ["typ"] = "guest+jwt", ["alg"] = "ES256", ["jwk"] = jwk };
        var text = string.Join(".", new[] { header, claims }
            .Select(part => Holdfast.Base64Url(Encoding.UTF8.GetBytes(part.ToString(Formatting.None)))));
        var hash = Number(BitConverter.ToString(Holdfast.Sha256(text)).Replace("-", ""));
        var once = Drawn();
        var r = Times(once)[0] % N;
        var s = Mod(Inverse(once, N) * (hash + r * secret), N);
        return text + "." + Text(r, s);
    }
}
