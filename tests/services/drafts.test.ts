import { expect, it } from 'vitest';
import { createDrafts } from '../../src/services/drafts.ts';
import type { TextStore } from '../../src/services/tokens.ts';

const storeOf = (): TextStore & { readonly texts: Map<string, string> } => {
  const texts = new Map<string, string>();
  return {
    texts,
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, value) => void texts.set(key, value),
    removeItem: (key) => void texts.delete(key),
  };
};
const hourMs = 60 * 60_000;
const draft = (key = 'edit-patient/1') => ({
  key,
  place: '/patient/1',
  what: { kind: 'edit-patient', name: 'Anna Lind' },
  content: { mine: { comments: 'Allergic' } },
});

/** A tab, and the same tab after it was loaded again. */
const tabOf = () => {
  const [tabStore, sharedStore] = [storeOf(), storeOf()];
  let now = 1_000_000;
  const open = () => createDrafts({ tabStore, sharedStore, now: () => now });
  const later = (ms: number) => {
    now += ms;
  };
  return { tabStore, sharedStore, open, later };
};

it('is there again for the same person after the tab was loaded anew', () => {
  const { open } = tabOf();
  const before = open();
  before.belongTo('anna');
  before.keep(draft());
  const after = open();
  after.belongTo('anna');
  expect(after.offered()).toMatchObject([draft()]);
  after.drop('edit-patient/1');
  expect([after.offered(), open().all()]).toEqual([[], []]);
});

it('is gone when somebody else signs in, and lies in the store of the tab alone', () => {
  const { open, tabStore, sharedStore } = tabOf();
  const before = open();
  before.belongTo('anna');
  before.keep(draft());
  expect([...tabStore.texts.values()].join()).toContain('Allergic');
  expect(sharedStore.texts.size).toBe(0);
  const after = open();
  after.belongTo('bo');
  expect(after.all()).toEqual([]);
  expect([...tabStore.texts.values()].join()).not.toContain('Allergic');
});

it('is gone when the person signs out, and a form that closes behind them writes for nobody', () => {
  const { open, tabStore } = tabOf();
  const drafts = open();
  drafts.belongTo('anna');
  drafts.keep(draft());
  drafts.forgetAll();
  drafts.keep(draft());
  expect([drafts.all(), tabStore.texts.size]).toEqual([[], 0]);
  drafts.belongTo('anna');
  expect(drafts.all()).toEqual([]);
});

it('is gone after twelve hours, also from the store', () => {
  const { open, later, tabStore } = tabOf();
  const drafts = open();
  drafts.belongTo('anna');
  drafts.keep(draft('edit-patient/1'));
  later(11 * hourMs);
  drafts.keep(draft('edit-patient/2'));
  expect(drafts.find('edit-patient/1')).not.toBeNull();
  later(hourMs);
  expect(drafts.find('edit-patient/1')).toBeNull();
  drafts.purge();
  expect([...tabStore.texts.values()].join()).not.toContain('edit-patient/1');
  expect(drafts.offered().map(({ key }) => key)).toEqual(['edit-patient/2']);
});

it('is offered while nobody is at work on it, and tells when that changes', () => {
  const drafts = tabOf().open();
  drafts.belongTo('anna');
  let heard = 0;
  const stop = drafts.subscribe(() => {
    heard += 1;
  });
  const leave = drafts.hold('edit-patient/1');
  const leaveToo = drafts.hold('edit-patient/1');
  drafts.keep(draft());
  expect(drafts.offered()).toEqual([]);
  leave();
  expect(drafts.offered()).toEqual([]);
  leaveToo();
  expect(drafts.offered()).toHaveLength(1);
  expect(drafts.offered()).toBe(drafts.offered());
  drafts.resume('edit-patient/1');
  expect(drafts.resumed()).toBe('edit-patient/1');
  drafts.drop('edit-patient/1');
  expect(drafts.resumed()).toBeNull();
  stop();
  const before = heard;
  drafts.keep(draft());
  expect(heard).toBe(before);
});

it('reads nothing from what is broken or foreign', () => {
  const { tabStore, open } = tabOf();
  for (const stored of ['{', '[]', '{"account":"anna","drafts":[{"key":1}]}']) {
    tabStore.setItem('dentarium.drafts', stored);
    expect(open().all()).toEqual([]);
  }
});
