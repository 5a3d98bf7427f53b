/** A proxy on loopback between a client and a server of any protocol, which breaks connections in the ways that networks do. */
import { once } from 'node:events';
import { createServer, connect as openSocket, type Server, type Socket } from 'node:net';

/** Where connections lead. */
export interface ProxyTarget {
  readonly host: string;
  readonly port: number;
}

/**
 * What happens to the connection on which a strike lands, and to the piece that it sent:
 * `cut_before`: the server never sees the piece. `cut_within`: it sees the piece up to the end of what was looked for.
 * `cut_during`: it gets the whole piece, and the connection is gone before the answer.
 * `swallow_answer`: it gets the piece and answers, the answer is lost, and then the connection goes.
 */
export type StrikeKind = 'cut_before' | 'cut_within' | 'cut_during' | 'swallow_answer';

export interface Strike {
  readonly kind: StrikeKind;
  /** Lands on the first connection whose client sends these bytes (latin1); on the first that sends anything without it. */
  readonly contains?: string;
  /** Lands only on a connection whose client has sent these bytes before, since the strike was asked for. */
  readonly after?: string;
  /** Lands where the client has sent that many bytes since the strike was asked for; `cut_within` lets so many through. */
  readonly afterClientBytes?: number;
}

export interface TcpProxy {
  readonly host: string;
  readonly port: number;
  /** Connections that are open now. */
  readonly connections: number;
  /** The same URL, leading through the proxy. */
  through(url: string): string;
  /** Resets every connection that is open now; returns how many. */
  cut(): number;
  /** Waits for the moment and strikes once; resolves when it did, rejects when the proxy is closed before that. */
  strike(strike: Strike): Promise<void>;
  /** Holds back everything in both directions, new connections included, until the returned function is called. */
  stall(): () => void;
  /** Loses everything in both directions until the returned function is called, which resets what was open by then. */
  blackHole(): () => void;
  /** Resets new connections at once until the returned function is called. What is open goes on. */
  refuse(): () => void;
  /** Delays every piece in both directions by so many milliseconds from now on. */
  setLatency(milliseconds: number): void;
  /** Leads new connections elsewhere. What is open goes on. */
  setTarget(target: ProxyTarget): void;
  close(): Promise<void>;
}

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** Set by `swallow_answer`: answers go nowhere, and the first one ends the link. */
  swallowsAnswers: boolean;
  cut(): void;
}

interface ArmedStrike extends Strike {
  /** What was sent on each connection since: the bytes counted, the end of it where a marker may have begun, and whether `after` was. */
  readonly seen: WeakMap<Link, { bytes: number; tail: string; isBegun: boolean }>;
  landed(): void;
  failed(error: Error): void;
}

/** Between the first piece of an answer that is swallowed and the cut, so that the rest of it is swallowed too. */
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

/** Connects a client through, and pumps both ways until either side ends or the link is cut. */
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

/** Moves pieces in order. `pass` says what of a piece goes on; nothing when it is undefined. */
async function pump(from: Socket, to: Socket, pass: (piece: Buffer) => Promise<Buffer | undefined>): Promise<void> {
  // The iterator would otherwise destroy the socket at its end, and so the direction that still goes on.
  for await (const piece of from.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    const passed = await pass(piece);
    if (passed !== undefined && !to.write(passed)) await once(to, 'drain');
  }
  to.end();
}

type Network = ReturnType<typeof createNetwork>;

/** The state of the weather: what happens to a piece on its way. */
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

/** Where in the piece what the strike waits for ends; undefined when it is not there. */
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

/** Lets the server read the bytes and then the end; a reset could overtake what was just written. */
function cutAfter({ server, cut }: Link, bytes: Buffer): void {
  server.end(bytes, () => {
    server.destroy();
    cut();
  });
}

/** Something that is on while anybody wants it on. */
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

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
