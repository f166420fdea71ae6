import path from 'node:path';
import { expect } from 'vitest';
import { FROM_PROJECT, GRAPH_FOLDER, graphLayout, layoutOf } from '#kernel/graph-folder.js';
import { sha256 } from '#kernel/hash.js';
import { composeProject } from '#main/compose.js';
import { projectAt } from '#main/project.js';
import { runtimePlace, socketPath } from '#main/service-at.js';
import { verifies } from '../verifies.js';

verifies('one.project', 'no two parts of a graph folder have one place, and all are in it', () => {
  const { folder, ...parts } = graphLayout('/work/project/.workgraph');
  const places = Object.values(parts);
  expect(new Set(places).size).toBe(places.length);
  expect(places.filter((place) => path.normalize(place) !== place || !place.startsWith(`${folder}/`))).toEqual([]);
  expect(layoutOf('/work/project/')).toEqual({ folder, ...parts });
  expect(FROM_PROJECT.folder).toBe(GRAPH_FOLDER);
  expect(FROM_PROJECT.lock).toBe('.workgraph/service/write.lock');
});

verifies('one.project', 'what is kept outside of a project is named by its id, which follows from its path', () => {
  const deep = `/work/${'d'.repeat(100)}`;
  const [near, far] = [projectAt('/work/project'), projectAt(deep)];
  expect(near.id).toBe(sha256('/work/project').slice(0, 32));
  expect([near, projectAt('/work/project'), far].map(({ id }) => id === near.id)).toEqual([true, true, false]);
  expect(socketPath(near, '/run')).toBe('/work/project/.workgraph/service/daemon.sock');
  expect(socketPath(far, '/run')).toBe(`/run/troupe-${sha256(deep).slice(0, 16)}/daemon.sock`);
  expect(runtimePlace(near, '/run')).toBe(`/run/troupe-${near.id.slice(0, 16)}`);
});

verifies('one.project', 'a project whose files are on another machine is refused where they are needed', () => {
  const { id, layout, store } = projectAt('/work/project');
  expect(() => composeProject({ id, layout, store })).toThrow(expect.objectContaining({ code: 'project_elsewhere' }));
});
