import { readFileSync } from 'node:fs';
import { rolldown } from 'rolldown';

const src = readFileSync('tooling/build.mjs', 'utf8');
const GROUPS = eval(
  '(' + src.slice(src.indexOf('const GROUPS = ') + 15, src.indexOf('};\n', src.indexOf('const GROUPS')) + 1) + ')',
);
const info = new Map();
const b = await rolldown({
  input: { cli: 'src/main/cli.ts', service: 'src/main/service.ts', run: 'src/main/run.ts' },
  platform: 'node',
  external: [/^node:/, 'libsql', /ink/, /yoga/, /top\.mjs/],
  transform: { define: { TROUPE_VERSION: '"0"' } },
  resolve: { conditionNames: ['import', 'node', 'default'], extensionAlias: { '.js': ['.ts', '.js'] } },
  onLog() {},
  plugins: [
    {
      name: 'x',
      buildEnd() {
        for (const id of this.getModuleIds()) info.set(id, this.getModuleInfo(id));
      },
    },
  ],
});
const o = await b.generate({
  format: 'es',
  codeSplitting: { groups: Object.entries(GROUPS).map(([name, test]) => ({ name, test })) },
  minify: false,
});
const g = o.output.find((c) => c.name === 'graph');
const inside = new Set(Object.keys(g.modules));
const who = new Map();
for (const [id, i] of info)
  for (const d of i.importedIds)
    if (inside.has(d) && inside.has(id)) {
      if (!who.has(d)) who.set(d, []);
      who.get(d).push(
        id
          .replace(process.cwd() + '/src/', '')
          .split('/')
          .slice(-2)
          .join('/'),
      );
    }
const rows = Object.entries(g.modules).map(([k, m]) => [k, m.renderedLength ?? m.code?.length]);
rows.sort((a, b) => b[1] - a[1]);
console.log(
  rows.reduce((a, r) => a + r[1], 0),
  rows.length,
);
for (const r of rows)
  console.log(
    r[1],
    r[0].replace(process.cwd() + '/', ''),
    GROUPS.graph.test(r[0]) ? '' : 'DEP of ' + (who.get(r[0]) ?? []).slice(0, 3),
  );
