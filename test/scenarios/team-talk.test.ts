import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { sha256 } from '#kernel/hash.js';
import { taken } from '../core/runs/facts.js';
import { verifies } from '../verifies.js';
import { clientProject, ownSettings, WITH_CLIENT } from './client-world.js';
import { asked, endEverything, until } from './program.js';

interface Chat {
  readonly team: string;
  readonly messages: readonly {
    readonly who: { readonly name: string; readonly kind: string };
    readonly text: string;
  }[];
}
interface Work {
  readonly id: string;
  readonly status: string;
  readonly assigned?: string;
  readonly started_at?: string;
  readonly completed_at?: string;
}

verifies(
  ['strata.first', 'strata.inject', 'team.name.auto'],
  'a blank team gets a goal, names itself, plans; three members work; one is sent back, hands in again, and what was accepted is there',
  async () => {
    const cwd = await clientProject();
    onTestFinished(() => endEverything(cwd));
    const env = ownSettings();
    const { team } = await asked<{ team: { id: string } }>(['team', 'create', '', '--leader', 'Ripley'], { cwd });
    for (const name of ['Hicks', 'Vasquez', 'Bishop']) await asked(['team', 'add', team.id, name], { cwd });
    await asked(['service', 'start'], { cwd, env: { PATH: WITH_CLIENT.PATH, ...env } });
    await asked(['team', 'say', team.id, 'Fix the airlock: play=leads-team'], { cwd, env });
    const parts = ['hicks', 'vasquez', 'bishop'].map((member) => `part-of-${member}`);
    const show = async (id: string) =>
      (await asked<{ task: Work & Record<string, unknown> }>(['show', id], { cwd })).task;
    await until('all parts to be accepted', async () => {
      const { tasks } = await asked<{ tasks: readonly Work[] }>(['list', '--show-internal'], { cwd });
      return parts.every((id) => tasks.find((task) => task.id === id)?.status === 'done');
    });

    const chat = await asked<Chat>(['team', 'transcript', team.id], { cwd });
    expect(chat.team).toBe('Airlock Watch');
    const said = chat.messages.map(({ who, text }) => `${who.name} (${who.kind}): ${text.split(':')[0]}`);
    expect(said.slice(0, 3)).toEqual([
      'tess (person): Fix the airlock',
      'Troupe (system): The plan is ready',
      'Ripley (agent): Each of you has a task.',
    ]);

    // Nobody acted before the plan, and all of them by the same bytes of it.
    const { in_force, text } = await asked<{ in_force: { sha256: string }; text: string }>(
      ['team', 'strata', team.id],
      {
        cwd,
      },
    );
    expect(sha256(text)).toBe(in_force.sha256);
    const { tasks } = await asked<{ tasks: readonly Work[] }>(['list', '--show-internal'], { cwd });
    const planning = await show(tasks.find(({ id }) => id.startsWith('.strata'))?.id ?? '');
    for (const id of parts) {
      const task = await show(id);
      expect(Date.parse(task.started_at ?? '')).toBeGreaterThanOrEqual(Date.parse(planning.completed_at ?? ''));
      const file = (name: string) =>
        readFileSync(path.join(cwd, '.workgraph/agents', task.assigned ?? '', name), 'utf8');
      const prompt = file('prompt.txt');
      const { blocks } = taken(prompt, /^<<<data-(\S+) /m.exec(prompt)?.[1]);
      expect(blocks.find(({ label }) => label === 'strategy')?.text).toBe(text);
      expect(JSON.parse(file('run.jsonl').split('\n')[0] ?? '')).toMatchObject({ strategy: in_force.sha256 });
    }

    // Each was reviewed by a task of its own; one was sent back with feedback, and what came then was accepted.
    const reviews = tasks.filter(({ id }) => id.startsWith('.review')).map(({ id }) => id);
    expect(reviews.sort()).toEqual(
      ['bishop-1', 'hicks-1', 'hicks-2', 'vasquez-1'].map((end) => `.review-part-of-${end}`),
    );
    const { artifacts } = await asked<{ artifacts: readonly { id: string }[] }>(
      ['team', 'artifact', 'list', team.id, '--task', 'part-of-hicks'],
      { cwd },
    );
    const accepted = artifacts[0]?.id ?? ''; // the latest first
    const { content } = await asked<{ content: string }>(['team', 'artifact', 'get', accepted], { cwd });
    expect(content).toBe('second version of part-of-hicks');
  },
);
