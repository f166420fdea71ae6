import { expect } from 'vitest';
import { dotText, mermaidText } from '#core/insight/text-formats.js';
import { verifies } from '../../verifies.js';
import { pictureOf } from './drawing.js';

const HOSTILE = [
  'a "quoted" \\"title\\"',
  'ends with a backslash \\',
  '"]; evil [label="x',
  'first\nsecond\r\nthird',
  '<b>bold</b> <script>alert(1)</script>',
  'a] --> b["x"]:::done',
  '`**markdown**`',
  '%%{init: {"theme":"dark"}}%%',
  '&lt;entity&gt; #quot; #35;',
  'end subgraph click t0 href "javascript:alert(1)"',
  '\u001b[31mred\u202e',
];

const picture = pictureOf(
  HOSTILE.map((title, index) => ({
    id: index % 2 === 0 ? `t${index}` : `id "${index}" -> x; //`,
    title,
    after: index === 0 ? ['gone"];\nx'] : ['t0'],
  })),
);

verifies('graph.viz.graph', 'DOT: whatever a title says stays inside its label', () => {
  const lines = dotText(picture).trimEnd().split('\n');
  expect(lines[0]).toBe('digraph tasks {');
  expect(lines.at(-1)).toBe('}');
  const label = String.raw`\[label="(?:[^"\\]|\\[\\"n])*", (?:color="#[0-9A-F]{6}"|style=dashed)\];`;
  const shapes = [
    /^ {2}(rankdir=TB|node \[[^\]]*\]|edge \[[^\]]*\]);$/,
    new RegExp(`^ {2}[tm]\\d+ ${label}$`),
    /^ {2}[tm]\d+ -> t\d+( \[style=(dotted|dashed, constraint=false)\])?;$/,
  ];
  for (const line of lines.slice(1, -1))
    expect(
      shapes.filter((shape) => shape.test(line)),
      line,
    ).toHaveLength(1);
  expect(lines.filter((line) => line.includes('->') && !line.includes('label='))).toHaveLength(HOSTILE.length);
  expect(lines.join('')).not.toMatch(/&(?!amp;)/);
});

verifies(
  'graph.viz.graph',
  'Mermaid: whatever a title says stays inside its label, and nothing in it means anything',
  () => {
    const lines = mermaidText(picture).trimEnd().split('\n');
    expect(lines[0]).toBe('flowchart TD');
    const shapes = [
      /^ {2}[tm]\d+\["(?:[A-Za-z0-9 ,.\-/:_]|[^\x00-\x7f]|#\d+;|<br\/>)*"\]:::[a-z]+$/,
      /^ {2}[tm]\d+ (-->|-\.->|-\.-) t\d+$/,
      /^ {2}classDef [a-z]+ [a-zA-Z0-9#:,-]+$/,
    ];
    for (const line of lines.slice(1))
      expect(
        shapes.filter((shape) => shape.test(line)),
        line,
      ).toHaveLength(1);
  },
);

verifies('graph.viz.graph', 'both tell every edge once: forward, back, and from what is missing', () => {
  const cycle = pictureOf([
    { id: 'plan' },
    { id: 'write', after: ['plan', 'judge', 'plan'], cycle_config: { max_iterations: 5 }, loop_iteration: 2 },
    { id: 'judge', after: ['write', 'ghost'] },
  ]);
  expect(dotText(cycle).match(/^ {2}\w+ -> .*$/gm)).toEqual([
    '  t0 -> t1;',
    '  t2 -> t1 [style=dashed, constraint=false];',
    '  t1 -> t2;',
    '  m0 -> t2 [style=dotted];',
  ]);
  expect(mermaidText(cycle).match(/^ {2}\w+ -.*$/gm)).toEqual([
    '  t0 --> t1',
    '  t2 -.-> t1',
    '  t1 --> t2',
    '  m0 -.- t2',
  ]);
  expect(dotText(cycle)).toContain('↺ (iter 2/5)');
  expect(mermaidText(cycle)).toContain('↺ #40;iter 2/5#41;');
});
