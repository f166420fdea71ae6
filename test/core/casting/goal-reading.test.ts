import { expect } from 'vitest';
import { GoalReader } from '#core/casting/goal-reading.js';
import { verifies } from '../../verifies.js';

const reader = new GoalReader(
  {
    stop_words: ['about', 'the'],
    synonyms: {},
    languages: {
      german: { bug: 'fault', ui: 'user interface', schön: 'nice', datenbank: 'database' },
      french: { cre: 'create, make' },
    },
  },
  ['documentation', 'context', 'scanner', 'library', 'server', 'deploys', 'tester', 'testes', 'page'],
);
const read = (...words: string[]) => reader.read(words);

verifies('cast.words', 'a foreign word is translated, with an ending of up to two letters unless it is short', () => {
  expect(read('ui', 'cre', 'bug')).toEqual(['user', 'interface', 'create', ',', 'make', 'fault']);
  expect(read('schon', 'schön', 'schöne', 'schönen', 'schönere')).toEqual(['nice', 'nice', 'nice', 'nice', 'schönere']);
  expect(read('datenbanken', 'datenbankenn')).toEqual(['database', 'datenbankenn']);
  // With its ending a root of fewer than five letters is another word.
  expect(read('bugs', 'creer', 'uis')).toEqual(['bugs', 'creer', 'uis']);
});

verifies('cast.words', 'a misspelt word is read as the one known word within one slip, unless it is short', () => {
  expect(read('libary', 'librrary', 'library2', 'sevrer')).toEqual(['library', 'library', 'library2', 'server']);
  // A replaced letter only in words of eight letters or more.
  expect(read('content', 'documentatian', 'documentetion', 'scannex')).toEqual([
    ...['content', 'documentation', 'documentation', 'scannex'],
  ]);
  expect(read('pgae', 'paeg', 'serer')).toEqual(['pgae', 'paeg', 'serer']);
  expect(read('the', 'servers', 'zebra')).toEqual(['the', 'servers', 'zebra']);
  expect(['server', 'libary', 'the', 'zebra', 'datenbank'].map((word) => reader.isEnglish(word))).toEqual([
    ...[true, true, true, false, false],
  ]);
});
