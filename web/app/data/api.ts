import type { Answer, ApiInput, ApiOperation, ErrorAnswer, SessionRequest } from '#surfaces/http/contract.js';

const PATIENCE_MS = 10_000;
const LONG_PATIENCE_MS = 300_000;

/** Error response of the server. `code` is `unreachable` if there was no response. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly hint: string;

  constructor(code: string, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

/** Reads a resource of the API. Rejects with an ApiError. */
export async function ask<Value>(address: string): Promise<Value> {
  const response = await reach(`/api/${address}`, {});
  return (await response.json()) as Value;
}

/** Address of a read operation with its input: `task/show?id=…`. */
export function addressOf<Name extends ApiOperation>(name: Name, input: ApiInput<Name>): string {
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(input)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) query.append(field, String(one));
  }
  const words = query.toString();
  return `${name.replaceAll('.', '/')}${words === '' ? '' : `?${words}`}`;
}

/** Calls a read operation. Rejects with an ApiError. */
export function askFor<Name extends ApiOperation>(name: Name, input: ApiInput<Name>): Promise<Answer<Name>> {
  return ask<Answer<Name>>(addressOf(name, input));
}

/** Calls a write operation. Rejects with an ApiError. */
export async function act<Name extends ApiOperation>(name: Name, input: ApiInput<Name>): Promise<void> {
  await reach(`/api/${name.replaceAll('.', '/')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(input),
  });
}

/**
 * Changes a resource and returns the response, which may take minutes if a model has to choose. Rejects with an
 * ApiError.
 */
export async function change<Value>(
  method: 'POST' | 'PATCH' | 'DELETE',
  address: string,
  body: Readonly<Record<string, unknown>> = {},
): Promise<Value> {
  const request = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await reach(`/api/${address}`, request, LONG_PATIENCE_MS);
  return (response.status === 204 ? undefined : await response.json()) as Value;
}

/** Exchanges the one-time code of the printed address for a session cookie. */
export async function login(code: string): Promise<void> {
  const body: SessionRequest = { code };
  await reach('/api/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Ends the session of this browser; the next one needs a new link. */
export async function logout(): Promise<void> {
  await reach('/api/session', { method: 'DELETE' });
}

async function reach(address: string, request: RequestInit, patienceMs = PATIENCE_MS): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, { ...request, signal: AbortSignal.timeout(patienceMs) });
  } catch {
    throw new ApiError('unreachable', 'Troupe does not answer.', 'Check that the service is still running.');
  }
  if (response.ok) return response;
  const answer = (await response.json().catch(() => undefined)) as ErrorAnswer | undefined;
  if (answer === undefined)
    throw new ApiError('internal', `The server answered ${response.status}.`, 'Reload the page.');
  throw new ApiError(answer.error.code, answer.error.message, answer.error.hint);
}
