/** A proxy on loopback between a client and a server of any protocol, which breaks connections like networks do. */
import { once } from 'node:events';
import { createServer, connect as openSocket, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** The target of connections. */
export interface ProxyTarget {
  readonly host: string;
  readonly port: number;
}

/**
 * Effect of a strike on its connection, and on the piece that the client sent:
 * `cut_before`: the server never gets the piece. `cut_within`: it gets the piece up to the end of the matched bytes.
 * `cut_during`: it gets the whole piece, and the connection is gone before the response.
 * `swallow_answer`: it gets the piece and responds, the response is lost, and then the connection is closed.
 */
export type StrikeKind = 'cut_before' | 'cut_within' | 'cut_during' | 'swallow_answer';

interface Strike {
  readonly kind: StrikeKind;
  /** Hits the first connection whose client sends these bytes (latin1); by default the first that sends anything. */
  readonly contains?: string;
  /** Hits only a connection whose client has sent these bytes since the strike was requested. */
  readonly after?: string;
  /** Hits after the client has sent this many bytes since the strike was requested; `cut_within` lets that many through. */
  readonly afterClientBytes?: number;
}

export interface TcpProxy {
  readonly host: string;
  readonly port: number;
  /** Currently open connections. */
  readonly connections: number;
  /** The same URL, through the proxy. */
  through(url: string): string;
  /** Resets every open connection; returns their number. */
  cut(): number;
  /** Waits for the moment and strikes once; resolves afterwards, rejects if the proxy is closed first. */
  strike(strike: Strike): Promise<void>;
  /** Holds back all data in both directions, including new connections, until the returned function is called. */
  stall(): () => void;
  /** Drops all data in both directions until the returned function is called, which resets connections opened by then. */
  blackHole(): () => void;
  /** Resets new connections until the returned function is called. Open ones continue. */
  refuse(): () => void;
  /** Delays every piece in both directions by this many milliseconds from now on. */
  setLatency(milliseconds: number): void;
  /** Redirects new connections. Open ones continue. */
  setTarget(target: ProxyTarget): void;
  close(): Promise<void>;
}

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** Set by `swallow_answer`: responses are dropped, and the first one ends the link. */
  swallowsAnswers: boolean;
  cut(): void;
}

interface ArmedStrike extends Strike {
  /** Bytes sent on each connection since: their count, a tail that may contain the start of a marker, and whether `after` was sent. */
  readonly seen: WeakMap<Link, { bytes: number; tail: string; isBegun: boolean }>;
  landed(): void;
  failed(error: Error): void;
}

/** Time between the first piece of a swallowed response and the cut, so that the rest is swallowed, too. */
const swallowMilliseconds = 10;

/** Starts a proxy to `target` on a free port of 127.0.0.1. */
export async function startTcpProxy(target: ProxyTarget): Promise<TcpProxy> {
  const links = new Set<Link>();
  const network = createNetwork();
  let destination = target;
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    if (network.isRefusing()) client.resetAndDestroy();
    else join(client, destination, links, network);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as { port: number };
  const cut = () => {
    const open = [...links];
    for (const link of open) link.cut();
    return open.length;
  };
  return {
    host: '127.0.0.1',
    port,
    get connections() {
      return links.size;
    },
    through: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    cut,
    strike: network.strike,
    stall: network.stall,
    blackHole: () => {
      const end = network.blackHole();
      return () => {
        cut();
        end();
      };
    },
    refuse: network.refuse,
    setLatency: network.setLatency,
    setTarget: (next) => {
      destination = next;
    },
    close: () => close(listener, network, cut),
  };
}

async function close(listener: Server, network: Network, cut: () => number): Promise<void> {
  const closed = once(listener, 'close');
  listener.close();
  network.end();
  cut();
  await closed;
}

/** Connects a client, and pumps both ways until either side ends or the link is cut. */
function join(client: Socket, target: ProxyTarget, links: Set<Link>, network: Network): void {
  const server = openSocket({ ...target, allowHalfOpen: true, noDelay: true });
  const link: Link = {
    client,
    server,
    swallowsAnswers: false,
    cut() {
      links.delete(link);
      client.resetAndDestroy();
      server.resetAndDestroy();
    },
  };
  links.add(link);
  for (const socket of [client, server]) socket.on('error', link.cut).on('close', link.cut);
  pump(client, server, (piece) => network.passRequest(link, piece)).catch(link.cut);
  pump(server, client, (piece) => network.passAnswer(link, piece)).catch(link.cut);
}

/** Moves pieces in order. `pass` returns the part to forward; undefined for nothing. */
async function pump(from: Socket, to: Socket, pass: (piece: Buffer) => Promise<Buffer | undefined>): Promise<void> {
  // Otherwise the iterator would destroy the socket at its end, and with it the direction that is still open.
  for await (const piece of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const passed = await pass(piece);
    if (passed !== undefined && !to.write(passed)) await once(to, 'drain');
  }
  to.end();
}

type Network = ReturnType<typeof createNetwork>;

/** State of the network, which decides about each piece. */
function createNetwork() {
  const strikes = new Set<ArmedStrike>();
  const stalls = createSwitch();
  const holes = createSwitch();
  const refusals = createSwitch();
  let latencyMilliseconds = 0;

  const pass = async (piece: Buffer): Promise<Buffer | undefined> => {
    if (latencyMilliseconds > 0) await sleep(latencyMilliseconds);
    await stalls.whenOff();
    return holes.isOn() ? undefined : piece;
  };
  const passRequest = async (link: Link, piece: Buffer): Promise<Buffer | undefined> => {
    const passed = await pass(piece);
    if (passed === undefined) return undefined;
    for (const strike of strikes) {
      const end = endOfMatch(strike, link, passed);
      if (end === undefined) continue;
      strikes.delete(strike);
      land(strike, link, passed, end);
      return strike.kind === 'swallow_answer' ? passed : undefined;
    }
    return passed;
  };
  const passAnswer = async (link: Link, piece: Buffer): Promise<Buffer | undefined> => {
    if (!link.swallowsAnswers) return pass(piece);
    setTimeout(link.cut, swallowMilliseconds);
    return undefined;
  };
  return {
    passRequest,
    passAnswer,
    strike: (strike: Strike) =>
      new Promise<void>((landed, failed) => {
        strikes.add({ ...strike, seen: new WeakMap(), landed, failed });
      }),
    stall: stalls.on,
    blackHole: holes.on,
    refuse: refusals.on,
    isRefusing: refusals.isOn,
    setLatency: (milliseconds: number) => {
      latencyMilliseconds = milliseconds;
    },
    end: () => {
      stalls.allOff();
      for (const strike of strikes) strike.failed(new Error('the proxy was closed before a strike had landed'));
      strikes.clear();
    },
  };
}

/** The end, within the piece, of the bytes that the strike waits for; undefined if they are not there. */
function endOfMatch(
  { contains, after, afterClientBytes, seen }: ArmedStrike,
  link: Link,
  piece: Buffer,
): number | undefined {
  const { bytes, tail, isBegun } = seen.get(link) ?? { bytes: 0, tail: '', isBegun: after === undefined };
  if (afterClientBytes !== undefined) {
    seen.set(link, { bytes: bytes + piece.length, tail, isBegun });
    return bytes + piece.length > afterClientBytes ? afterClientBytes - bytes : undefined;
  }
  if (contains === undefined) return Math.ceil(piece.length / 2);
  const text = tail + piece.toString('latin1');
  const begin = isBegun || after === undefined ? 0 : text.indexOf(after);
  const start = begin < 0 ? -1 : text.indexOf(contains, begin);
  const awaited = begin < 0 ? (after as string) : contains;
  seen.set(link, { bytes, tail: text.slice(text.length - Math.min(text.length, awaited.length - 1)), isBegun: begin >= 0 });
  return start < 0 ? undefined : start + contains.length - tail.length;
}

function land({ kind, landed }: ArmedStrike, link: Link, piece: Buffer, end: number): void {
  link.server.once('close', landed);
  link.swallowsAnswers = true;
  if (kind === 'cut_before') link.cut();
  else if (kind === 'cut_within') cutAfter(link, piece.subarray(0, end));
  else if (kind === 'cut_during') cutAfter(link, piece);
}

/** Lets the server read the bytes and then the end; a reset could overtake them. */
function cutAfter({ server, cut }: Link, bytes: Buffer): void {
  server.end(bytes, () => {
    server.destroy();
    cut();
  });
}

/** A switch that is on while it has at least one holder. */
function createSwitch() {
  const holders = new Set<symbol>();
  let waiting: (() => void)[] = [];
  const release = () => {
    if (holders.size > 0) return;
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  return {
    on: (): (() => void) => {
      const holder = Symbol();
      holders.add(holder);
      return () => {
        holders.delete(holder);
        release();
      };
    },
    isOn: () => holders.size > 0,
    whenOff: async () => {
      while (holders.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    allOff: () => {
      holders.clear();
      release();
    },
  };
}
