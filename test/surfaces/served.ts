import { callOperation } from '#operations/call.js';
import type { Context } from '#operations/operation.js';
import { OPERATIONS } from '#operations/table.js';
import { holdAnswer } from '../answers.js';
import { bearer, json, serve } from './http-client.js';

/** Token of an observer. */
export const VIEWER = 'token-of-a-viewer-0123456789abc';

export interface Answer extends Record<string, unknown> {
  readonly error: { code: string; message: string; details: unknown };
}

/** A server over the project of a stage, with all operations; `send` returns status and body. */
export async function servedOver(stage: { context(): Context }) {
  const call = async (name: string, input: unknown) => {
    const spec = OPERATIONS.find((candidate) => candidate.name === name);
    if (!spec) throw new Error(`no operation ${name}`);
    const answer = await callOperation(spec, stage.context(), input);
    await holdAnswer(spec, answer);
    return answer;
  };
  const { server, ask } = await serve({ call, operations: OPERATIONS, viewerToken: VIEWER });
  const send = async (method: string, target: string, body?: unknown, headers: Record<string, string> = bearer) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    // Node sends a DELETE with a body without its length, unless that is set.
    const carried = text === undefined ? {} : { ...json, 'content-length': String(Buffer.byteLength(text)) };
    const answer = await ask(target, {
      method,
      headers: { ...headers, ...carried },
      ...(text === undefined ? {} : { body: text }),
    });
    const value = (answer.text === '' ? undefined : answer.json()) as Answer;
    return { status: answer.status, body: value, headers: answer.headers };
  };
  return { server, ask, send };
}
