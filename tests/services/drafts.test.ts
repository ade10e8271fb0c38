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

/** A tab, and the same tab after a reload. */
const tabOf = () => {
  const [tabStore, sharedStore] = [storeOf(), storeOf()];
  let now = 1_000_000;
  const open = () => createDrafts({ tabStore, sharedStore, now: () => now });
  const later = (ms: number) => {
    now += ms;
  };
  return { tabStore, sharedStore, open, later };
};

it('is restored for the same user after the tab was reloaded', () => {
  const { open } = tabOf();
  const before = open();
  before.setOwner('anna');
  before.save(draft());
  const after = open();
  after.setOwner('anna');
  expect(after.offered()).toMatchObject([draft()]);
  after.drop('edit-patient/1');
  expect([after.offered(), open().all()]).toEqual([[], []]);
});

it('is deleted when another user signs in, and is stored in the tab alone', () => {
  const { open, tabStore, sharedStore } = tabOf();
  const before = open();
  before.setOwner('anna');
  before.save(draft());
  expect([...tabStore.texts.values()].join()).toContain('Allergic');
  expect(sharedStore.texts.size).toBe(0);
  const after = open();
  after.setOwner('bo');
  expect(after.all()).toEqual([]);
  expect([...tabStore.texts.values()].join()).not.toContain('Allergic');
});

it('is deleted on sign-out, and a form that closes afterwards stores nothing', () => {
  const { open, tabStore } = tabOf();
  const drafts = open();
  drafts.setOwner('anna');
  drafts.save(draft());
  drafts.clear();
  drafts.save(draft());
  expect([drafts.all(), tabStore.texts.size]).toEqual([[], 0]);
  drafts.setOwner('anna');
  expect(drafts.all()).toEqual([]);
});

it('is gone after twelve hours, also from the store', () => {
  const { open, later, tabStore } = tabOf();
  const drafts = open();
  drafts.setOwner('anna');
  drafts.save(draft('edit-patient/1'));
  later(11 * hourMs);
  drafts.save(draft('edit-patient/2'));
  expect(drafts.find('edit-patient/1')).not.toBeNull();
  later(hourMs);
  expect(drafts.find('edit-patient/1')).toBeNull();
  drafts.purge();
  expect([...tabStore.texts.values()].join()).not.toContain('edit-patient/1');
  expect(drafts.offered().map(({ key }) => key)).toEqual(['edit-patient/2']);
});

it('is offered while no form edits it, and notifies when that changes', () => {
  const drafts = tabOf().open();
  drafts.setOwner('anna');
  let notified = 0;
  const stop = drafts.subscribe(() => {
    notified += 1;
  });
  const leave = drafts.markInUse('edit-patient/1');
  const leaveToo = drafts.markInUse('edit-patient/1');
  drafts.save(draft());
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
  const before = notified;
  drafts.save(draft());
  expect(notified).toBe(before);
});

it('ignores damaged and foreign contents', () => {
  const { tabStore, open } = tabOf();
  for (const stored of ['{', '[]', '{"account":"anna","drafts":[{"key":1}]}']) {
    tabStore.setItem('dentarium.drafts', stored);
    expect(open().all()).toEqual([]);
  }
});
