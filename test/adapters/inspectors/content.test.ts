import { expect, test } from 'vitest';
import { contentOf, contentsByShare } from '#adapters/inspectors/content.js';
import { frameworksIn, isManifest, languageOf, SKIPPED_FOLDERS } from '#adapters/inspectors/file-classification.js';
import type { Content } from '#core/catalog/signal-vocabulary.js';

test('a file is of a content by its name, by the folder it stands in, or by its form', () => {
  const files = [
    ...['a.ipynb', 'a.Rmd', 'q.sql', 'm.tf', 'book.rst', 'a.ts', 'a.png', 'ts', 'README.rst', '.github/a.md'],
    ...['dbt_project.yml', 'x/dvc.yaml', 'promptfooconfig.yaml', 'x/a.prompt', 'a.prompty', 'Dockerfile.dev'],
    ...['docker-compose.yml', 'Chart.yaml', 'prompts/a.md', 'my-evals/a.csv', 'prompts/a.png', 'dags/a.py'],
    ...['dags/a.png', 'roles/a.yml', 'roles/a.ts', 'k8s/a.yaml'],
  ];
  const found = files.map((file) => `${file} ${contentOf(file, file.split('/').at(-1) ?? '')}`);
  expect(found).toMatchInlineSnapshot(`
    [
      "a.ipynb notebooks",
      "a.Rmd notebooks",
      "q.sql pipelines",
      "m.tf infrastructure",
      "book.rst text",
      "a.ts code",
      "a.png undefined",
      "ts undefined",
      "README.rst undefined",
      ".github/a.md undefined",
      "dbt_project.yml pipelines",
      "x/dvc.yaml pipelines",
      "promptfooconfig.yaml prompts",
      "x/a.prompt prompts",
      "a.prompty prompts",
      "Dockerfile.dev infrastructure",
      "docker-compose.yml infrastructure",
      "Chart.yaml infrastructure",
      "prompts/a.md prompts",
      "my-evals/a.csv prompts",
      "prompts/a.png undefined",
      "dags/a.py pipelines",
      "dags/a.png undefined",
      "roles/a.yml infrastructure",
      "roles/a.ts code",
      "k8s/a.yaml infrastructure",
    ]
  `);
});

test('of the contents those with a fifth of all count, and text alone where it outweighs the others twice', () => {
  const shares = (sizes: Partial<Record<Content, number>>) =>
    contentsByShare(new Map(Object.entries(sizes) as [Content, number][]));
  expect(shares({ text: 2 })).toEqual(['text']);
  expect(shares({ code: 100, text: 200 })).toEqual(['code']);
  expect(shares({ code: 100, text: 201 })).toEqual(['text', 'code']);
  expect(shares({ notebooks: 20, code: 80 })).toEqual(['code', 'notebooks']);
  expect(shares({ notebooks: 19, code: 80 })).toEqual(['code']);
  expect(shares({ pipelines: 5, notebooks: 5 })).toEqual(['notebooks', 'pipelines']);
});

test('closed tables: languages, manifests, frameworks, folders that are passed over', () => {
  expect(['a.CXX', 'a.kts', 'a.b.py', 'a.constructor', 'a', 'a.'].map(languageOf)).toEqual([
    ...['cpp', 'kotlin', 'python', undefined, undefined, undefined],
  ]);
  const manifests = ['package.json', 'setup.cfg', 'Gemfile', 'Makefile', 'pom.xml', 'CMakeLists.txt', 'composer.json'];
  expect([...manifests, 'a.CSPROJ', 'Package.swift'].filter((name) => !isManifest(name))).toEqual([]);
  expect(frameworksIn('setup.py', 'django flask fastapi')).toEqual(['django', 'flask', 'fastapi']);
  expect(frameworksIn('a.csproj', 'Microsoft.AspNetCore.Components')).toEqual(['aspnet', 'blazor']);
  expect(frameworksIn('a.csproj', 'Microsoft.NET.Sdk.BlazorWebAssembly')).toEqual(['blazor']);
  expect(frameworksIn('go.mod', 'flask')).toEqual([]);
  expect([...SKIPPED_FOLDERS].sort()).toMatchInlineSnapshot(`
    [
      ".cache",
      ".git",
      ".next",
      ".squad",
      ".venv",
      ".workgraph",
      "__pycache__",
      "bin",
      "build",
      "coverage",
      "dist",
      "node_modules",
      "obj",
      "target",
      "vendor",
    ]
  `);
});
