import type { WorkKind } from '#core/catalog/catalog.js';
import { hasRole, type Phrase, type PhraseIndex, type PhraseRole, type Token } from './goal-phrases.js';

/** Occurrence of a phrase in a goal, and the kind of work it indicates. */
export interface Mention {
  readonly kind: WorkKind;
  readonly words: string;
  readonly weight: number;
  /** Whether the sentence asks for the kind, rather than only mentioning it as a topic. */
  readonly isGoal: boolean;
  /** Whether it is requested in addition to the goal of the sentence: "a library *with tests*". */
  readonly isExtra: boolean;
}

/**
 * Score of a mention: a verb of its own kind, a sign, a thing to be made, the object of such a verb, a topic, and a
 * generic verb like "make".
 */
export const WEIGHT = { verb: 4, sign: 4, object: 3, patient: 2, topic: 1, making: 1.5 };

const words = (text: string) => new Set(text.split(' '));
/** After one of these, a thing is only a topic: "a blog post *about* our compiler". */
const PREPOSITIONS = words(
  'about above across after against among around as at before behind below between by during for from how in inside ' +
    'into like near of on onto over per regarding than through to toward towards under until upon using via when ' +
    'whether while why with within',
);
/** After one of these, a thing is only a topic even if the clause has no other object: "write *about* compilers". */
const TOPIC_PREPOSITIONS = words('about regarding');
/**
 * After one of these, a thing is an extra: "a library *with* docs". "including" and "plus" apply within a relative
 * clause too.
 */
const ADDITIONS = words('including plus with');
const ADDITIONS_ANYWHERE = words('including plus');
/** After one of these, the rest of the sentence describes the thing: "an app *that* sends mail". */
const RELATIVES = words('because so that where which who whose');
/** After one of these, a thing is unwanted or already exists: "needs *no* server". */
const NEGATIONS = words('already avoid except instead never no nor not without');
/** These end a negation: "no features, *only* tests". */
const AFFIRMATIONS = words('but just only ,');
/** Filler words that may precede a verb. */
const FILLERS = words('also just now only please simply then');
/** After one of these, a negation continues: "without a server *or* a database". */
const ALTERNATIVES = words('nor or');
/** A word after one of these is not a verb: "a script". */
const DETERMINERS = new Set(['a', 'an', 'the', 'my', 'our', 'your', 'their', 'some', 'this', 'these', 'each', 'every']);
const CONJUNCTIONS = words('and but or then ,');

/** Parser state within one clause. */
interface Clause {
  /** Whether a word other than a stop word was read. */
  begun: boolean;
  /** Whether the clause has a verb that names a kind of work by itself; its object is then a topic. */
  hasVerb: boolean;
  hasObject: boolean;
  /** Whether a preposition was read. */
  isAbout: boolean;
  /** Whether a relative pronoun was read. */
  isRelative: boolean;
  /** Whether things at this position are extras to the goal of the clause. */
  isExtra: boolean;
}
const NEW_CLAUSE: Clause = {
  begun: false,
  hasVerb: false,
  hasObject: false,
  isAbout: false,
  isRelative: false,
  isExtra: false,
};

export interface SentenceReading {
  readonly mentions: readonly Mention[];
  /** Words of the sentence outside negations. */
  readonly wanted: readonly Token[];
}

/** Parses one sentence from left to right. */
export function readSentence(
  tokens: readonly Token[],
  phrases: PhraseIndex,
  stop: ReadonlySet<string>,
): SentenceReading {
  const mentions: RoleMention[] = [];
  const wanted: Token[] = [];
  let clause = { ...NEW_CLAUSE };
  let isNegated = false;
  let wasNegated = false;
  for (let place = 0; place < tokens.length; place++) {
    const phrase = phrases.longestMatchAt(tokens, place);
    const { word = '' } = tokens[place] ?? {};
    if (phrase === undefined) {
      isNegated = isNegatedAfter(word, { isNegated, wasNegated });
      if (!isNegated) wanted.push(...tokens.slice(place, place + 1));
      clause.isExtra = isExtraAfter(word, tokens[place - 1]?.word, clause);
      if (
        CONJUNCTIONS.has(word) &&
        (!clause.isRelative || isMainClauseVerb(tokens, place)) &&
        isVerbNext(tokens, place, phrases)
      )
        clause = { ...NEW_CLAUSE };
      else if (CONJUNCTIONS.has(word)) clause.isAbout &&= !DETERMINERS.has(tokens[place + 1]?.word ?? '');
      else if (RELATIVES.has(word)) clause.isRelative ||= clause.begun;
      else if (PREPOSITIONS.has(word)) {
        clause.isAbout = true;
        clause.hasObject ||= TOPIC_PREPOSITIONS.has(word);
      } else if (!NEGATIONS.has(word) && !stop.has(word)) clause.begun = true;
      continue;
    }
    const after = place + phrase.stems.length;
    if (!isNegated) {
      wanted.push(...tokens.slice(place, after));
      const said = tokens.slice(place, after).map((token) => token.word);
      const neighbours = {
        before: tokens[place - 1]?.word,
        after: tokens[after]?.word,
        isThingAfter: hasRole(phrases.longestMatchAt(tokens, after), 'thing'),
      };
      mentions.push(...mentionsOf(phrase, said.join(' '), clause, neighbours));
    }
    // A negated verb does not end the negation before its object: "do not *add a* server".
    wasNegated = isNegated;
    isNegated &&= !hasRole(phrase, 'thing', 'sign') || hasRole(phrases.longestMatchAt(tokens, after), 'thing');
    clause.begun = true;
    place = after - 1;
  }
  // If the sentence reports a problem, the things it names are only the location of the problem.
  const hasSign = mentions.some(({ role, isGoal }) => role === 'sign' && isGoal);
  return {
    wanted,
    mentions: mentions.map(({ role, ...mention }) =>
      hasSign && role === 'thing' && mention.isGoal ? { ...mention, weight: WEIGHT.patient, isGoal: false } : mention,
    ),
  };
}

/** Whether the next word, after any fillers, is a verb. */
function isVerbNext(tokens: readonly Token[], place: number, phrases: PhraseIndex): boolean {
  const following = tokens.findIndex((token, index) => index > place && !FILLERS.has(token.word));
  return hasRole(phrases.longestMatchAt(tokens, following), 'verb', 'making');
}

/**
 * Whether a verb after a relative clause belongs to the main sentence: "a tool that sorts photos, *and document* it".
 */
function isMainClauseVerb(tokens: readonly Token[], place: number): boolean {
  return tokens[place - 1]?.word === ',' && tokens[place + 1]?.word.endsWith('s') === false;
}

/**
 * Whether a word continues a list of extras. A conjunction continues it, any other preposition ends it: "with tests
 * *and* docs *for* the API".
 */
function isExtraAfter(word: string, before: string | undefined, clause: Clause): boolean {
  if (!clause.hasObject && !clause.hasVerb) return false;
  if (ADDITIONS.has(word))
    return !clause.isRelative || before === ',' || ADDITIONS_ANYWHERE.has(word) || clause.isExtra;
  if (CONJUNCTIONS.has(word)) return clause.isExtra || !clause.isRelative;
  return clause.isExtra && !PREPOSITIONS.has(word) && !RELATIVES.has(word);
}

function isNegatedAfter(word: string, before: { readonly isNegated: boolean; readonly wasNegated: boolean }): boolean {
  if (NEGATIONS.has(word)) return true;
  if (AFFIRMATIONS.has(word)) return false;
  return before.isNegated || (before.wasNegated && ALTERNATIVES.has(word));
}

/**
 * Whether a word that can be a thing or a verb is the thing, judged by the next word: "a *script that* …", but "script
 * the backup".
 */
function isNounBefore(word: string | undefined): boolean {
  return word === undefined || word === ',' || RELATIVES.has(word) || PREPOSITIONS.has(word);
}

type RoleMention = Mention & { readonly role: PhraseRole };

/** Returns the mentions of one phrase in its position, and updates the state of the clause. */
function mentionsOf(
  phrase: Phrase,
  words: string,
  clause: Clause,
  neighbours: {
    readonly before: string | undefined;
    readonly after: string | undefined;
    readonly isThingAfter: boolean;
  },
): RoleMention[] {
  const isVerb =
    hasRole(phrase, 'verb', 'making') &&
    !(hasRole(phrase, 'thing') && isNounBefore(neighbours.after)) &&
    (!clause.begun || neighbours.before === 'to') &&
    !DETERMINERS.has(neighbours.before ?? '') &&
    !clause.hasObject &&
    !clause.isRelative;
  const isOwnVerb = isVerb && hasRole(phrase, 'verb');
  const isPatient = clause.hasVerb && !clause.isAbout && !clause.isRelative;
  const canBeGoal = !clause.isRelative && !clause.hasVerb;
  // Of two adjacent things, the last one counts: "an integration test" is a test.
  const isObject =
    hasRole(phrase, 'thing') &&
    !isVerb &&
    canBeGoal &&
    !(clause.isAbout && clause.hasObject) &&
    !neighbours.isThingAfter;
  if (isOwnVerb) clause.hasVerb = true;
  else if (isObject) clause.hasObject = true;
  // "a tested library", "everything is documented"
  const isParticiple = !isVerb && clause.begun && words.endsWith('ed');
  return phrase.meanings.flatMap(({ kind, role }): RoleMention[] => {
    const mention = (isGoal: boolean, weight: number, isExtra = clause.isExtra && !isGoal) => [
      { kind, role, words, isGoal, isExtra, weight },
    ];
    switch (role) {
      case 'thing':
        if (isVerb) return [];
        return isObject ? mention(true, WEIGHT.object) : mention(false, isPatient ? WEIGHT.patient : WEIGHT.topic);
      case 'sign':
        return isOwnVerb ? [] : mention(canBeGoal, canBeGoal ? WEIGHT.sign : WEIGHT.topic);
      case 'making':
        return isVerb ? mention(false, WEIGHT.making) : [];
      default:
        if (isVerb) return mention(true, WEIGHT.verb);
        return isParticiple ? mention(false, WEIGHT.topic, true) : [];
    }
  });
}
