import path from 'node:path';
import { expect, test } from 'vitest';
import { driftsOf } from '#core/casting/drift.js';
import { retireOne } from '#core/casting/members.js';
import { planRender } from '#core/casting/render-files.js';
import { readSquadState, type SquadState } from '#core/squad/squad-state.js';
import { TroupeError } from '#kernel/errors.js';
import { after, catalog, memberWish, teamOf, templates } from './stage.js';

const CLIENTS = JSON.stringify({ version: 1, outputs: ['.claude/agents', '.github/agents', 'AGENTS.md'] });
const EVENTS = '.squad/casting/registry.events.jsonl';
type Texts = Readonly<Record<string, string | ((text: string) => string) | undefined>>;

/** A team with files for clients, of which some are changed, or taken away. */
function changed(state: SquadState, texts: Texts): Map<string, string> {
  const all = new Map(state.texts);
  for (const [file, text] of Object.entries(texts)) {
    if (text === undefined) all.delete(file);
    else all.set(file, typeof text === 'string' ? text : text(all.get(file) ?? ''));
  }
  return all;
}

test('whatever a file does not say as the events say it is told, and nothing else', async () => {
  const cast = readSquadState(changed(teamOf('lead-architect', 'writer'), { '.squad/config.json': CLIENTS }));
  const rendered = after(
    cast,
    planRender({ state: cast, catalog, templates, project: 'zion', clientFiles: 'configured' }).changes,
  );
  const left = after(rendered, retireOne(memberWish(rendered, { clientFiles: 'untouched' }), 'Trinity').changes);
  const line = (more: object) =>
    `${JSON.stringify({ name: 'Neo', status: 'Active', rev: 1, eventId: 'x', ...more })}\n`;
  const situations: Readonly<Record<string, ReadonlyMap<string, string>>> = {
    'nothing is there': new Map(),
    'as it was written': rendered.texts,
    'a charter is gone': changed(rendered, { '.squad/agents/neo/charter.md': undefined }),
    'a charter is another': changed(rendered, { '.squad/agents/neo/charter.md': '# Neo\n' }),
    'JSON is gone': changed(rendered, {
      '.squad/casting/registry.json': undefined,
      '.squad/casting/history.json': undefined,
    }),
    'JSON is another': changed(rendered, {
      '.squad/casting/registry.json': '{}',
      '.squad/casting/history.json': '{"a":1}',
    }),
    'pages are gone': changed(rendered, { '.squad/team.md': undefined, '.squad/routing.md': undefined }),
    'a row too many': changed(rendered, {
      '.squad/team.md': (text) => text.replace('| Neo |', '| Anna | x | y | Active |\n| Neo |'),
    }),
    'a row too few': changed(rendered, { '.squad/team.md': (text) => text.replace(/\| Neo .*\n/, '') }),
    'a row that says something else': changed(rendered, {
      '.squad/team.md': (text) => text.replace('Lead Architect', 'Boss'),
    }),
    'a row that is written otherwise': changed(rendered, {
      '.squad/team.md': (text) => text.replace('| Neo |', '|  **Neo** |'),
    }),
    'words of the page': changed(rendered, { '.squad/team.md': (text) => text.replace('Neo leads', 'Nobody leads') }),
    'routes are another': changed(rendered, { '.squad/routing.md': (text) => text.replace('| Neo |', '| Anna |') }),
    'files for clients are gone': changed(rendered, { '.claude/agents/neo.md': undefined, 'AGENTS.md': undefined }),
    'files for clients are edited': changed(rendered, { '.claude/agents/neo.md': (text) => `${text}more\n` }),
    'half a block': changed(rendered, { 'AGENTS.md': (text) => text.replace('<!-- troupe:end -->', '') }),
    'a block that is not text': changed(rendered, { 'AGENTS.md': (text) => `\ufffd${text}` }),
    'files of one who left': left.texts,
    'a line that is none': changed(rendered, {
      [EVENTS]: (text) => `${text}none\n`,
      '.squad/casting/history.events.jsonl': (text) => `{}\n${text}`,
    }),
    'two members of one name': changed(rendered, { [EVENTS]: (text) => `${text}${line({ roleTitle: 'Other' })}` }),
    'state of another tool': changed(rendered, { '.squad/casting/policy.json': '{"universe_allowlist":["*"]}' }),
    'two states': changed(rendered, { '.squad/casting-registry.json': '{"agents":{"x":{"persistent_name":"Mal"}}}' }),
  };
  const told = Object.entries(situations).flatMap(([title, texts]) => {
    try {
      return [
        `# ${title}`,
        ...driftsOf(texts, catalog, 'zion').map(({ kind, file, message }) => `  ${kind} ${file}: ${message}`),
      ];
    } catch (error) {
      if (error instanceof TroupeError) return [`# ${title}`, `  ${error.code}: ${error.message}`];
      throw error;
    }
  });
  // Ids of events are counted over all tests.
  await expect(`${told.join('\n').replaceAll(/id-\d+/g, 'id-N')}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, 'golden/drifts.txt'),
  );
});
