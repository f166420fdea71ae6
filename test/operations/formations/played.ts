import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { asTroupeError } from '#kernel/errors.js';
import { isJsonObject } from '#kernel/json.js';
import { playbookStatus } from '#operations/playbooks/runs.js';
import { Telling } from '../told.js';
import { formationWorld } from './formation-world.js';

export const golden = (name: string) => path.join(import.meta.dirname, `../golden/${name}.txt`);

/** Whether an answer only repeats what `look` returns. */
const isStanding = (answer: unknown): boolean => isJsonObject(answer) && ('steps' in answer || 'abandoned' in answer);

/** A run of a formation that the test plays, with its state after each act. */
export function played() {
  const world = formationWorld();
  const telling = new Telling();
  let settings: object = { coordinator: { executor: 'shell' }, budget: { usd_total: 3 } };
  Object.assign(world.context, {
    settings: async () => ({ name: 'config.toml', read: async () => settings, set: () => expect.unreachable() }),
  });
  let run = '';
  const look = async () => {
    const { formation, delivered } = await playbookStatus.run(world.context, { run });
    telling.say('standing', formation);
    if (delivered) telling.say('delivered', delivered);
    telling.say('files', {
      all: (readdirSync(world.project, { recursive: true }) as string[])
        .filter((name) => /\.\w+$/.test(name))
        .sort()
        .map((name) => ({ name })),
    });
    for (const [file, text] of world.roles.texts)
      telling.say(file, { lines: text.split('\n').map((line) => ({ line })) });
  };
  /** Records the answer or refusal of an act, and the changes after it. */
  const act = async (title: string, work: () => Promise<unknown>) => {
    telling.lines.push(`== ${title}`);
    const answer = await work().catch((error: unknown) => {
      const { code, message, hint } = asTroupeError(error);
      return { refused: `${code}: ${message}`, hint };
    });
    if (answer !== undefined && !isStanding(answer)) telling.say(title, answer);
    const named = (answer as { run?: string } | undefined)?.run;
    if (run === '' && named !== undefined) run = named;
    await look();
    world.pass(60_000);
  };
  return {
    ...world,
    telling,
    act,
    id: (step: string) => `${run}-${step}`,
    run: () => run,
    text: () => telling.text.replaceAll(run, 'RUN').replaceAll(path.basename(world.project), 'PROJECT'),
    fileText: world.text,
    withoutBudget: () => {
      settings = { coordinator: { executor: 'shell' } };
    },
  };
}

export const NOTE = (verdict: string) => `### Seat — ${verdict}\n- [high] it blocks → bound it\n- [low] no move\n`;
export const DECISION = [
  '## Decision',
  'Drop it.',
  '## Why',
  'It blocks.',
  '## Minority view',
  'None.',
  '## Unresolved tensions',
  'None.',
  '## Moves',
  '- Bound it ← maintainer',
  '',
].join('\n');
