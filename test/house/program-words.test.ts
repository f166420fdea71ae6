import path from 'node:path';
import ts from 'typescript';
import { expect } from 'vitest';
import { SHOWN_STATES, type ShownState, STATUS_LOOK, wordOf } from '#core/graph/status-look.js';
import { TEAM_TASK_STATUSES } from '#core/teams/team.js';
import { teamTaskWord } from '#core/teams/team-task-word.js';
import { atWork } from '#surfaces/cli/status-mark.js';
import { verifies } from '../verifies.js';
import { filesBelow, syntaxOf } from './files.js';
import type { Text } from './prose.js';
import { TERMS } from './terms.js';

const HOME = path.resolve(import.meta.dirname, '../..');

/** Idioms that have to be read twice, each with what a developer tool says. They are looked for in every text of the program. */
const IDIOMS: readonly (readonly [RegExp, string])[] = [
  [/(?<!team )\b[Ss]ay (one of|either|all of|which|--[a-z]|[A-Z]{2,})/, 'use, name'],
  [/\bmend(s|ed)?\b/i, 'fix'],
  [/\bput(s|ting)? (it |them |that )?right\b/i, 'fix'],
  [/\bput(s|ting)? (it |them )?back\b/i, 'restore'],
  [/\b(stands?|is|are) (here|there) (twice|again)\b/i, 'appears twice'],
  [
    /(?<!\bthere )\b(is|are) no (plain|file|folder|text|list|name|number|object|address|member|socket|record)\b/i,
    'is not a',
  ],
  [/\bcannot be understood\b|\bis not understood\b/i, 'is not valid'],
  [/\banew\b/i, 'again'],
  [/\bgo(es)? round\b/i, 'repeats'],
  [/\bcomes? after\b/i, 'depends on'],
  [/\bmust be said\b|\(needed\)/i, 'required'],
  [/\bat most so many\b/i, 'at most N'],
  [/\bby (itself|themselves)\b/i, 'automatically'],
  [/\bnobody (here|on this machine)\b/i, 'not trusted here'],
  [/\bheld back\b/i, 'paused'],
  [/\b(gives?|given|giving) (it |them )?back\b/i, 'release'],
  [/\bwhat is to be (done|said|reached|decided|discovered)\b(?!:)/i, 'what to do'],
];

/** What else a state might be called: it is shown, and told, by its word in the program's table alone. */
const OTHERWISE: Readonly<Record<ShownState, RegExp>> = {
  open: /\bnot yet begun\b/i,
  ready: /\bcan (start|begin) (now|at once)\b/i,
  'in-progress': /\bunder way\b|\bat work\b|\bbeing worked on\b/i,
  waiting: /\bparked\b/i,
  'pending-validation': /\b(waits?|waiting|awaits?) (for )?(a )?review\b|\b(under|in) review\b/i,
  done: /\bended well\b|\b(is|are) completed\b/i,
  failed: /\bended badly\b/i,
  abandoned: /\bgiven up\b|\bcancelled\b/i,
  blocked: /\bstopped by a person\b/i,
};

/** Every text of more than one word in the program and its dashboard: strings, templates without what they put in, and JSX. */
function ofSource(): Text[] {
  const files = ['src', 'web/app'].flatMap((folder) => filesBelow(path.join(HOME, folder), /\.tsx?$/));
  return files.flatMap((file) => {
    const source = syntaxOf(file);
    const texts: Text[] = [];
    const visit = (node: ts.Node): void => {
      const text = ts.isTemplateExpression(node)
        ? [node.head, ...node.templateSpans.map(({ literal }) => literal)].map((part) => part.text).join('…')
        : ts.isStringLiteralLike(node) || ts.isJsxText(node)
          ? node.text
          : '';
      if (/\S\s+\S/.test(text)) {
        const line = source.getLineAndCharacterOfPosition(node.pos).line + 1;
        texts.push({ where: `${path.relative(HOME, file)}:${line}`, text: text.replace(/\s+/g, ' ') });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return texts;
  });
}

const texts = ofSource();

verifies('ui.words', 'no text of the program or its dashboard uses an idiom of our own', () => {
  expect(texts.length).toBeGreaterThan(7_000);
  const wrong = texts.flatMap(({ where, text }) =>
    [...TERMS, ...IDIOMS]
      .filter(([pattern]) => pattern.test(text))
      .map(([, term]) => `${where}: “${text.trim()}”: say “${term}”`),
  );
  expect(wrong).toEqual([]);
});

verifies('ui.words', 'one word per state on every surface: that of the one table', () => {
  const words = SHOWN_STATES.map((state) => STATUS_LOOK[state].word);
  expect(new Set(words).size).toBe(SHOWN_STATES.length);
  const wrong = texts.flatMap(({ where, text }) =>
    SHOWN_STATES.filter((state) => OTHERWISE[state].test(text)).map(
      (state) => `${where}: “${text.trim()}”: say “${STATUS_LOOK[state].word}”`,
    ),
  );
  expect(wrong).toEqual([]);
  expect(words).toEqual(expect.arrayContaining(TEAM_TASK_STATUSES.map(teamTaskWord)));
  expect(atWork('agent-1', true, true).word).toBe(wordOf('in-progress', true, undefined));
  expect(atWork('ann', false, true).word).toBe(wordOf('in-progress', false, undefined));
});
