import { expect } from 'vitest';
import { searchRank } from '#core/insight/task-search.js';
import { verifies } from '../../verifies.js';

const task = (id: string, title: string, member?: string) => ({ id, title, member });

verifies(
  'ui.web.room',
  'what fits best is found first: the id, the title, words in a row, beginnings of words, anything',
  () => {
    const tasks = [
      task('t-2417', 'Number 2417 of the writer'),
      task('t-70', 'Number 70 of the parser'),
      task('t-7', 'Number 7 of the lexer'),
      task('number-7', 'Another'),
      task('exact', 'number 7'),
      task('other', 'Number of 7 wonders'),
    ];
    const found = (words: string) => {
      const rankOf = searchRank(words);
      return tasks
        .flatMap((one) => {
          const rank = rankOf(one);
          return rank === undefined ? [] : [{ id: one.id, rank }];
        })
        .sort((left, right) => left.rank - right.rank)
        .map(({ id, rank }) => `${rank} ${id}`);
    };
    expect(found('Number 7')).toEqual(['1 exact', '2 t-7', '3 t-70', '4 number-7', '4 other', '5 t-2417']);
    expect(found('T-7')).toEqual(['0 t-7', '3 t-70']);
    expect(found('')).toHaveLength(tasks.length);
    expect(found('nowhere')).toEqual([]);
  },
);

verifies(
  'ui.web.room',
  'whatever somebody types is a text and no pattern; letters of every language are letters',
  () => {
    const rank = (words: string, title: string) => searchRank(words)(task('x', title));
    for (const words of ['(a', '[z-a]', 'a+*', '\\', '$^', 'a|b', '{2}', '.'])
      expect(rank(words, `so: ${words}`), words).toBeLessThanOrEqual(5);
    expect(rank('.', 'none')).toBeUndefined();
    expect([rank('über', 'Überblick'), rank('blick', 'Überblick')]).toEqual([3, 5]);
    expect(searchRank('trin')(task('a', 'A', 'Trinity'))).toBe(3);
  },
);
