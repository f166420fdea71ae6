import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import type { ExecutorPlan } from './plan.js';
import { isSessionId } from './reader.js';

/** Names of models as they are in use: `gpt-5.2`, `anthropic/claude-x`, `sonnet[1m]`, `qwen3:8b`. Never an option or a path up. */
const MODEL = /^[A-Za-z0-9][A-Za-z0-9._:/@+[\]-]{0,199}$/;
const PROVIDER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Whatever stands in arguments is of a form that no client can take for an option. Refuses with `bad_input`. */
export function checkPlan(plan: ExecutorPlan): void {
  if (plan.model !== undefined && !MODEL.test(plan.model)) throw wrong('name of a model', plan.model);
  if (plan.provider !== undefined && !PROVIDER.test(plan.provider)) throw wrong('name of a provider', plan.provider);
  if (plan.sessionId !== undefined && !isSessionId(plan.sessionId)) throw wrong('id of a session', plan.sessionId);
  for (const folder of [plan.project, plan.folder, plan.runFolder]) {
    if (!path.isAbsolute(folder) || folder.includes('\0')) throw wrong('absolute folder', folder);
  }
}

/** The session to go on with; undefined when the run begins a new one. */
export function resumed(plan: ExecutorPlan): string | undefined {
  return plan.resume === true ? plan.sessionId : undefined;
}

/** The model as clients with many providers name it. */
export function qualifiedModel({ model, provider }: ExecutorPlan): string | undefined {
  if (model === undefined || provider === undefined || model.startsWith(`${provider}/`)) return model;
  return `${provider}/${model}`;
}

/** An option with its value, or nothing. */
export function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}

function wrong(what: string, value: string): TroupeError {
  return new TroupeError('bad_input', { what: `${JSON.stringify(cut(inert(value), 80))} is no ${what}.` });
}
