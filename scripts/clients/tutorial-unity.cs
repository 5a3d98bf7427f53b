// What scripts/clients/check-tutorials.ts compiles with examples/unity/Holdfast.cs: the parts of Unity that it uses, and a game.
using System;
using System.Threading.Tasks;
using Newtonsoft.Json.Linq;

namespace UnityEngine
{
    public static class Application
    {
        public static string persistentDataPath => System.Environment.GetEnvironmentVariable("GAME_DATA");
        public static void OpenURL(string url) => Console.WriteLine("open " + url);
    }
}

static class Game
{
    static int Main(string[] words)
    {
        try
        {
            Run(words[0]).Wait();
            return 0;
        }
        catch (AggregateException failure)
        {
            Console.Error.WriteLine(failure.Flatten());
            return 1;
        }
    }

    static async Task Run(string start)
    {
        var holdfast = new Holdfast();
        var settings = await holdfast.ReadSettings();
        Check((int)settings["goldPerDig"] == 3, "the settings are those of the project");
        if (start == "first") Check(await holdfast.PlayAsGuest(), "the guest is let in");
        await holdfast.LoadSave();
        if (start == "second") Check((string)holdfast.Save["metAt"] == "2026-01-01T10:00:00.000+02:00", "the date is as it was written");
        if (start == "first") Check(holdfast.Version == 0, "there is no save yet");
        holdfast.Save["gold"] = ((int?)holdfast.Save["gold"] ?? 0) + (int)settings["goldPerDig"];
        if (start == "first") holdfast.Save["metAt"] = "2026-01-01T10:00:00.000+02:00";
        Check(await holdfast.WriteSave(), "the save is written");
        var other = new Holdfast();
        await other.LoadSave();
        Check((int)other.Save["gold"] == (start == "first" ? 3 : 6), "the save is there");
        Check((string)other.Save["metAt"] == "2026-01-01T10:00:00.000+02:00", "the date is still as it was written");
        Check(await other.WriteSave(), "another device writes");
        Check(!await holdfast.WriteSave(), "a write that comes too late is refused");
        Console.WriteLine(start + " start: version " + other.Version);
    }

    static void Check(bool isSo, string what)
    {
        if (!isSo) throw new Exception("it is not so that " + what);
    }
}
