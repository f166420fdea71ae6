import { expect } from 'vitest';
import { taskOf } from '#core/graph/task-of.js';
import { promptPartsAt } from '#core/roles/prompt-parts.js';
import { readRoles } from '#core/roles/registry.js';
import { panel } from '#operations/formations/panel.js';
import { verifies } from '../../verifies.js';
import { Crews } from './crews.js';

const coreText = (name: string, charter: string) =>
  `# ${name}\n\n## Charter\n\n${charter}\n\n## Learnings (core)\n\n## Learnings (solo)\n`;

verifies(
  'who.identity',
  'a minted row of a core role copies nothing of its charter, nor does the task: an accepted edit of the core is all the next prompt says',
  async () => {
    const stage = new Crews();
    const { texts } = stage.roles;
    for (const name of ['skeptic', 'dev']) texts.set(`.claude/roles/${name}.md`, coreText(name, 'FIRST of all.'));
    const crew = await stage.crew({ mode: 'autopilot', yes: true });
    const decided = await stage.call(panel, { goal: 'Drop the queue', yes: true });
    expect(stage.rows()).toContain(
      '### dev\n- role: dev\n- tools: all\n- handoff: CHANGES.md\n- status: probationary\n',
    );
    expect(texts.get('.claude/roles/panel.md')).toContain('### skeptic\n- role: skeptic\n- status: probationary\n');
    // Without a core role the row is the one place.
    expect(stage.rows()).toMatch(/### qa\n- owns: finds defects [^\n]*\n- tools: all\n- handoff: QA.md\n- status/);
    expect(stage.rows()).not.toContain('- charter:');
    for (const name of ['skeptic', 'dev']) texts.set(`.claude/roles/${name}.md`, coreText(name, 'SECOND thoughts.'));
    const said = async (id: string, lane: 'crew' | 'panel', seat: string) => {
      const parts = promptPartsAt(readRoles(texts), { lane, seat }).map(({ text }) => text);
      return [taskOf(await stage.view(), id).description ?? '', ...parts].join('\n');
    };
    for (const words of [
      await said(`${crew.run}-dev`, 'crew', 'dev'),
      await said(`${decided.run}-skeptic`, 'panel', 'skeptic'),
    ]) {
      expect(words).toContain('SECOND thoughts.');
      expect(words).not.toContain('FIRST');
    }
    // Rows of before that was so hold a copy: the core role counts.
    const panelRows = texts.get('.claude/roles/panel.md') ?? '';
    texts.set(
      '.claude/roles/panel.md',
      panelRows.replace('- role: skeptic\n', '- role: skeptic\n- charter: FIRST of all.\n'),
    );
    expect(await said(`${decided.run}-skeptic`, 'panel', 'skeptic')).not.toContain('FIRST');
  },
);
