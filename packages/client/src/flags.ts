/**
 * A provider for OpenFeature's web SDK.
 *
 * @packageDocumentation
 */
import {
  ErrorCode,
  type EvaluationContext,
  type JsonValue,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  type ResolutionDetails,
} from '@openfeature/web-sdk';
import type { Client } from './client-types.ts';
import { HoldfastError } from './errors.ts';
import type { FlagOptions } from './flags/types.ts';
import { type Flag, type FlagValues, isLike } from './flags/values.ts';

/** Options of {@link flagProvider}. */
export interface FlagProviderOptions extends Pick<FlagOptions, 'spreadMs'> {
  /**
   * How long the start waits for the first evaluation if nothing is cached; 10 seconds unless given. After that the provider is in error
   * until the service can be reached.
   */
  readonly patienceMs?: number;
}

/**
 * Returns a provider of a client's flags for `OpenFeature.setProvider`. It evaluates all flags for OpenFeature's context, and again when
 * the context, the user or the document changes. Each domain needs its own provider.
 */
export function flagProvider(client: Pick<Client, 'flags'>, options: FlagProviderOptions = {}): Provider {
  return new FlagProvider(client, options);
}

type Status = 'ready' | 'stale' | 'error';

class FlagProvider implements Provider {
  readonly metadata = { name: 'holdfast' } as const;
  readonly runsOn = 'client';
  readonly events = new OpenFeatureEventEmitter();
  readonly #client: Pick<Client, 'flags'>;
  readonly #options: FlagProviderOptions;
  #values: FlagValues | undefined;
  #end: (() => void) | undefined;
  /** The last status sent to OpenFeature. */
  #status: Status = 'ready';

  constructor(client: Pick<Client, 'flags'>, options: FlagProviderOptions) {
    this.#client = client;
    this.#options = options;
  }

  initialize(context: EvaluationContext = {}): Promise<void> {
    return this.#watch(context);
  }

  onContextChange(_: EvaluationContext, context: EvaluationContext): Promise<void> {
    return this.#watch(context);
  }

  async onClose(): Promise<void> {
    this.#end?.();
    this.#end = undefined;
  }

  resolveBooleanEvaluation(key: string, fallback: boolean): ResolutionDetails<boolean> {
    return this.#resolve(key, fallback);
  }

  resolveStringEvaluation(key: string, fallback: string): ResolutionDetails<string> {
    return this.#resolve(key, fallback);
  }

  resolveNumberEvaluation(key: string, fallback: number): ResolutionDetails<number> {
    return this.#resolve(key, fallback);
  }

  resolveObjectEvaluation<Value extends JsonValue>(key: string, fallback: Value): ResolutionDetails<Value> {
    return this.#resolve(key, fallback);
  }

  #resolve<Value>(key: string, fallback: Value): ResolutionDetails<Value> {
    const flag = this.#values?.flags.get(key);
    if (this.#values === undefined)
      return failed(fallback, ErrorCode.PROVIDER_NOT_READY, 'no flags have been evaluated yet');
    if (flag === undefined) return failed(fallback, ErrorCode.FLAG_NOT_FOUND, `there is no flag ${key}`);
    return resolutionOf(flag, fallback, this.#values.stale);
  }

  /** Evaluates for a context from now on. Resolves with its first values, or when another context has replaced it. */
  #watch(context: EvaluationContext): Promise<void> {
    const endBefore = this.#end;
    const watch = new Promise<void>((resolve, reject) => {
      let isFirst = true;
      const begun = (status: Status): boolean => {
        const wasFirst = isFirst;
        isFirst = false;
        clearTimeout(timer);
        if (wasFirst) this.#status = status;
        return wasFirst;
      };
      const end = this.#client.flags.subscribe(
        (values) => {
          if (this.#end !== stop) return;
          this.#take(values, begun('ready'));
          resolve();
        },
        {
          context,
          spreadMs: this.#options.spreadMs,
          onError: (error) => {
            if (this.#end === stop && !begun('error')) this.#say('error', error.message);
            reject(error);
          },
        },
      );
      const stop = (): void => {
        end();
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        begun('error');
        reject(new HoldfastError('timeout', 'the flags were not evaluated in time'));
      }, this.#options.patienceMs ?? 10_000);
      this.#end = stop;
    });
    endBefore?.();
    return watch;
  }

  #take(values: FlagValues, isFirst: boolean): void {
    this.#values = values;
    if (!isFirst && values.changed.length > 0) {
      this.events.emit(ProviderEvents.ConfigurationChanged, { flagsChanged: [...values.changed] });
    }
    // After the first values, OpenFeature sets the provider to ready. If they are stale, that is reported afterwards.
    if (isFirst) setTimeout(() => this.#say(this.#values?.stale ? 'stale' : 'ready'));
    else this.#say(values.stale ? 'stale' : 'ready');
  }

  /** Reports a changed status to OpenFeature. */
  #say(status: Status, message = 'the service has not confirmed the flags'): void {
    if (status === this.#status || this.#end === undefined) return;
    this.#status = status;
    if (status === 'ready') this.events.emit(ProviderEvents.Ready);
    else if (status === 'stale') this.events.emit(ProviderEvents.Stale, { message });
    else this.events.emit(ProviderEvents.Error, { errorCode: ErrorCode.GENERAL, message });
  }
}

function resolutionOf<Value>(flag: Flag, fallback: Value, stale: boolean): ResolutionDetails<Value> {
  const { key, value, variant, reason, metadata, errorCode, errorDetails } = flag;
  const flagMetadata = metadata ?? {};
  if (errorCode !== undefined) return { ...failed(fallback, codeOf(errorCode), errorDetails ?? errorCode), flagMetadata };
  if (value === undefined) return { value: fallback, flagMetadata, ...(reason !== undefined && { reason }) };
  if (!isLike(value, fallback)) {
    return failed(fallback, ErrorCode.TYPE_MISMATCH, `the flag ${key} is of the type ${typeof value}`);
  }
  const known = stale ? 'CACHED' : reason;
  return { value, flagMetadata, ...(variant !== undefined && { variant }), ...(known !== undefined && { reason: known }) };
}

const failed = <Value>(value: Value, errorCode: ErrorCode, errorMessage: string): ResolutionDetails<Value> => ({
  value,
  errorCode,
  errorMessage,
  reason: 'ERROR',
});

const codeOf = (code: string): ErrorCode => Object.values(ErrorCode).find((one) => one === code) ?? ErrorCode.GENERAL;
