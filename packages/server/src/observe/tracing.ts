/**
 * Spans for OpenTelemetry, sent by OTLP over HTTP. Loaded only if its variables are set. The SDK reads these itself (endpoint, headers,
 * sampler, batches, service name): they belong to OpenTelemetry, not to this service, and are the one exception to `config/config.ts` being
 * the only reader of the environment.
 *
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */

import {
  createTraceState,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { machineTime } from '../common/time/clock.ts';
import type { Store } from '../storage/store.ts';
import { accountOf, type CompletedRequest, methodLabel, type Outcome, projectOf, type Trace } from './completed-request.ts';
import { currentTrace, readTraceParent, type TraceOf, traceHeaders } from './trace-context.ts';

export interface Tracing {
  /** Begins the span of a request. */
  readonly traceOf: TraceOf;
  /** Returns the store with a span for every call that a request waits for. `system` names the engine. */
  traced(store: Store, system: string): Store;
  /** Sends the remaining spans, and stops. */
  close(): Promise<void>;
}

/** A trace for which this service records spans. */
interface RecordedTrace extends Trace {
  readonly span: Span;
}

/** Returns tracing as configured by the variables of OpenTelemetry. `onFault` is called if spans cannot be sent. */
export function createTracing(onFault: (message: string) => void): Tracing {
  diag.setLogger(
    { error: onFault, warn: onFault, info: () => {}, debug: () => {}, verbose: () => {} },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'holdfast' }))
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new BasicTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('holdfast');
  return {
    traceOf: (headers) => beginTrace(tracer, headers),
    traced: (store, system) => tracedStore(store, system, tracer),
    close: () => provider.shutdown(),
  };
}

function beginTrace(tracer: Tracer, headers: Parameters<TraceOf>[0]): RecordedTrace {
  const parent = readTraceParent(headers);
  const context =
    parent === undefined
      ? ROOT_CONTEXT
      : trace.setSpanContext(ROOT_CONTEXT, {
          traceId: parent.traceId,
          spanId: parent.spanId,
          traceFlags: parent.flags,
          isRemote: true,
          ...(parent.state !== undefined && { traceState: createTraceState(parent.state) }),
        });
  const span = tracer.startSpan('HTTP', { kind: SpanKind.SERVER }, context);
  const { traceId, spanId, traceFlags: flags } = span.spanContext();
  return {
    traceId,
    headers: traceHeaders({ traceId, spanId, flags, state: parent?.state }),
    span,
    end: (completed, outcome) => endSpan(span, completed, outcome),
  };
}

/**
 * The path is left out, although the conventions ask for it: it can contain a player's id.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/http/http-spans/
 */
function endSpan(span: Span, completed: CompletedRequest, { status, code }: Outcome): void {
  if (span.isRecording()) {
    const route = completed.route?.operation.path;
    const method = methodLabel(completed);
    const account = accountOf(completed);
    const project = projectOf(completed);
    span.updateName(route === undefined ? method.replace('_OTHER', 'HTTP') : `${method} ${route}`);
    span.setAttributes({
      'http.request.method': method,
      'http.response.status_code': status,
      'url.scheme': 'http',
      'holdfast.request_id': completed.requestId,
      ...(method === '_OTHER' && { 'http.request.method_original': completed.request.method ?? '' }),
      ...(route !== undefined && { 'http.route': route }),
      ...(code !== undefined && { 'holdfast.code': code }),
      ...(account !== undefined && { 'holdfast.account': account }),
      ...(project !== undefined && { 'holdfast.project': project }),
      ...(status >= 499 && { 'error.type': code ?? String(status) }),
    });
    if (status >= 499) span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/** Most reads are answered from memory. A span would take longer than such a read. */
function tracedStore(store: Store, system: string, tracer: Tracer): Store {
  const traced = new Map<string | symbol, unknown>();
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (!traced.has(name)) traced.set(name, tracedVerb(value.bind(target), String(name), system, tracer));
      return traced.get(name);
    },
  });
}

function tracedVerb(call: (...values: unknown[]) => unknown, name: string, system: string, tracer: Tracer) {
  return (...values: unknown[]): unknown => {
    const current = currentTrace() as RecordedTrace | undefined;
    if (current === undefined) return call(...values);
    const startTime = machineTime();
    const result = call(...values);
    if (!(result instanceof Promise)) return result;
    const attributes = { 'db.system.name': system, 'db.operation.name': name };
    const parent = trace.setSpan(ROOT_CONTEXT, current.span);
    const span = tracer.startSpan(`store ${name}`, { kind: SpanKind.CLIENT, startTime, attributes }, parent);
    result.then(
      () => span.end(),
      () => span.setStatus({ code: SpanStatusCode.ERROR }).end(),
    );
    return result;
  };
}
