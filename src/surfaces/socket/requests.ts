import * as z from 'zod/mini';
import { OPERATION_REQUESTS, SERVICE_REQUESTS } from '#core/coordinator/service-requests.js';
import { TroupeError } from '#kernel/errors.js';
import { describeIssue, explainIssue } from '#kernel/issues.js';
import type { JsonObject } from '#kernel/json.js';
import type { SocketRequest } from './protocol.js';

const text = z.optional(z.string());

/** Proof of a run, or the claim of a reader, accepted in every request. */
const proof = { run_token: text, run: text, run_fence: z.optional(z.int()), caller: z.optional(z.unknown()) };

const strict = (cmd: string, fields: z.core.$ZodLooseShape) =>
  [cmd, z.strictObject({ cmd: z.literal(cmd), ...proof, ...fields })] as const;

/** Schemas of all requests, by their `cmd`. The operation itself checks the fields of a request for it. */
const SCHEMAS: ReadonlyMap<string, z.ZodMiniType> = new Map<string, z.ZodMiniType>([
  strict('identify', { pid: z.int(), nonce: z.string(), asks: z.string() }),
  strict('operation', { name: z.string(), input: z.unknown(), request_id: text }),
  ...Object.entries(SERVICE_REQUESTS).map(([cmd, { fields }]) => strict(cmd, fields)),
  ...Object.keys(OPERATION_REQUESTS).map((cmd) => [cmd, z.looseObject({ cmd: z.literal(cmd), ...proof })] as const),
]);

/** Accepted values of `cmd`. */
export const SOCKET_QUESTIONS: readonly string[] = [...SCHEMAS.keys()];

/** Validates a request. Errors: `bad_input` for an unknown `cmd` or invalid fields. */
export function socketRequest(line: JsonObject): SocketRequest {
  const cmd = typeof line['cmd'] === 'string' ? line['cmd'] : '';
  const schema = SCHEMAS.get(cmd);
  if (!schema) throw new TroupeError('bad_input', { what: `Unknown request ${JSON.stringify(cmd.slice(0, 40))}.` });
  const parsed = schema.safeParse(line);
  if (parsed.success) return parsed.data as SocketRequest;
  const [issue] = parsed.error.issues;
  const issueText = issue ? describeIssue(explainIssue(issue, line), 'The request') : 'The request is not valid';
  throw new TroupeError('bad_input', { what: `${issueText}.` });
}
