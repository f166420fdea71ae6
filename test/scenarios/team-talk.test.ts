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
interface Row {
  readonly id: string;
  readonly status: string;
  readonly assigned?: string;
  readonly member?: string;
  readonly started_at?: string;
  readonly completed_at?: string;
}

verifies(
  ['strata.first', 'strata.inject', 'team.name.auto'],
  'a blank team gets a goal: it is named and planned, its leader calls members, and both act by the same plan',
  async () => {
    const cwd = await clientProject();
    onTestFinished(() => endEverything(cwd));
    const env = ownSettings();
    const { team } = await asked<{ team: { id: string } }>(['team', 'create', '', '--leader', 'Ripley'], { cwd });
    for (const name of ['Hicks', 'Vasquez']) await asked(['team', 'add', team.id, name], { cwd });
    await asked(['service', 'start'], { cwd, env: { PATH: WITH_CLIENT.PATH, ...env } });
    await asked(['team', 'say', team.id, 'Fix the airlock: play=leads-team'], { cwd, env });
    const tasks = async () => {
      const { tasks: all } = await asked<{ tasks: readonly Row[] }>(['list'], { cwd });
      return all;
    };
    await until('both members to be done', async () => {
      const turns = (await tasks()).filter(({ member }) => member === 'hicks' || member === 'vasquez');
      return turns.length === 2 && turns.every(({ status }) => status === 'done');
    });
    const chat = await asked<Chat>(['team', 'transcript', team.id], { cwd });
    expect(chat.team).toBe('Airlock Watch');
    const said = chat.messages.map(({ who, text }) => `${who.name} (${who.kind}): ${text.slice(0, 15)}`);
    expect(said.slice(0, 3)).toEqual([
      'tess (person): Fix the airlock',
      'Troupe (system): The plan stands',
      'Ripley (agent): @hicks and @vas',
    ]);
    expect(said.slice(3).sort()).toEqual(
      ['Hicks (agent): done by .turn-0', 'Vasquez (agent): done by .turn-0'].map((line) =>
        expect.stringContaining(line.slice(0, -1)),
      ),
    );
    const { in_force, text } = await asked<{ in_force: { sha256: string }; text: string }>(
      ['team', 'strata', team.id],
      { cwd },
    );
    expect(sha256(text)).toBe(in_force.sha256);
    const shown = await Promise.all(
      (await tasks())
        .filter(({ id }) => id.startsWith('.turn'))
        .map(({ id }) => asked<{ task: Row }>(['show', id], { cwd })),
    );
    expect(shown).toHaveLength(3);
    for (const { task } of shown) {
      const file = (name: string) =>
        readFileSync(path.join(cwd, '.workgraph/agents', task.assigned ?? '', name), 'utf8');
      const prompt = file('prompt.txt');
      const { blocks } = taken(prompt, /^<<<data-(\S+) /m.exec(prompt)?.[1]);
      expect(blocks.find(({ label }) => label === 'strategy')?.text).toBe(text);
      expect(JSON.parse(file('run.jsonl').split('\n')[0] ?? '')).toMatchObject({ strategy: in_force.sha256 });
    }
  },
);
