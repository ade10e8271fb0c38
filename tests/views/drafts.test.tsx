import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { createDrafts } from '../../src/services/drafts.ts';
import type { TextStore } from '../../src/services/tokens.ts';
import { DraftOffers } from '../../src/views/drafts/draft-offers.tsx';
import { EditPatient } from '../../src/views/edit/edit-patient.tsx';
import { EditStudy } from '../../src/views/edit/edit-study.tsx';
import { NewViewset } from '../../src/views/edit/new-viewset.tsx';
import { mergedOf } from '../../src/views/forms/merged.rules.ts';
import { DraftsProvider, type KeptDrafts } from '../../src/views/kept-drafts.ts';
import { idOf, patient, refused, showWith, study, writing } from './edit/writing.tsx';

const storeOf = (): TextStore => {
  const texts = new Map<string, string>();
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, value) => void texts.set(key, value),
    removeItem: (key) => void texts.delete(key),
  };
};
const draftsOf = () => {
  const drafts = createDrafts({ tabStore: storeOf(), sharedStore: storeOf() });
  drafts.belongTo('anna');
  return drafts;
};
const showKept = (drafts: KeptDrafts, piece: ReactNode, reading = writing()) =>
  showWith(reading, <DraftsProvider value={drafts}>{piece}</DraftsProvider>);

const comments = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Comments' });
const write = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const button = (name: string) => screen.findByRole('button', { name });

it('fills in again what was written when the page went away, and saves it', async () => {
  const drafts = draftsOf();
  const first = await showKept(drafts, <EditPatient patient={patient()} onClose={() => {}} />);
  write(await comments(), 'Allergic to latex');
  first.unmount();
  expect(drafts.offered()).toMatchObject([{ what: { kind: 'edit-patient', name: 'Anna Lind' } }]);

  const reading = writing();
  const onClose = vi.fn();
  await showKept(drafts, <EditPatient patient={patient()} onClose={onClose} />, reading);
  expect(drafts.offered()).toEqual([]);
  await waitFor(async () => expect((await comments()).value).toBe('Allergic to latex'));
  expect(screen.getByText(/is filled in again/)).toBeTruthy();
  fireEvent.click(await button('Save'));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(reading.updatePatient).toHaveBeenCalledWith(expect.objectContaining({ comments: 'Allergic to latex' }));
  expect(drafts.all()).toEqual([]);
});

it('keeps nothing of what was cancelled, and nothing of a form in which nothing was written', async () => {
  const drafts = draftsOf();
  const onClose = vi.fn();
  await showKept(drafts, <EditPatient patient={patient()} onClose={onClose} />);
  await comments();
  expect(drafts.all()).toEqual([]);
  write(await comments(), 'Nonsense');
  expect(drafts.all()).toHaveLength(1);
  write(await comments(), '');
  await waitFor(() => expect(drafts.all()).toEqual([]));
  write(await comments(), 'Nonsense');
  fireEvent.click(await button('Cancel'));
  fireEvent.click(await button('Discard changes'));
  expect(onClose).toHaveBeenCalled();
  expect(drafts.all()).toEqual([]);
});

it('keeps what was written when the archive refuses because the sign-in is over', async () => {
  const drafts = draftsOf();
  const reading = writing({ updateStudy: () => Promise.reject(refused('not-signed-in')) });
  const { unmount } = await showKept(drafts, <EditStudy study={study()} onClose={() => {}} />, reading);
  write(await screen.findByRole('textbox', { name: 'Description' }), 'Check-up, lower jaw');
  fireEvent.click(await button('Save'));
  await screen.findByText(/problem with authorization/);
  unmount();
  expect(drafts.offered()).toMatchObject([{ content: { mine: { description: 'Check-up, lower jaw' } } }]);
});

it('says what somebody else changed meanwhile, and loses neither edit', async () => {
  const drafts = draftsOf();
  const first = await showKept(drafts, <EditPatient patient={patient()} onClose={() => {}} />);
  write(await comments(), 'Allergic to latex');
  first.unmount();
  const reading = writing();
  const theirs = patient({ comments: 'Pregnant', lastName: 'Lindh' }, 4);
  await showKept(drafts, <EditPatient patient={theirs} onClose={() => {}} />, reading);
  await screen.findByText(/Somebody else has changed this meanwhile/);
  expect(screen.getByText(/Comments: they wrote “Pregnant”/)).toBeTruthy();
  expect(screen.getByText(/Last name: now “Lindh”/)).toBeTruthy();
  fireEvent.click(await button('Save'));
  await waitFor(() => expect(reading.updatePatient).toHaveBeenCalled());
  expect(reading.updatePatient).toHaveBeenCalledWith(
    expect.objectContaining({ comments: 'Allergic to latex', lastName: 'Lindh', version: 4 }),
  );
});

it('gives the archive’s values back to whoever does not want the draft', async () => {
  const drafts = draftsOf();
  const first = await showKept(drafts, <EditPatient patient={patient()} onClose={() => {}} />);
  write(await comments(), 'Allergic to latex');
  first.unmount();
  await showKept(drafts, <EditPatient patient={patient()} onClose={() => {}} />);
  await waitFor(async () => expect((await comments()).value).toBe('Allergic to latex'));
  fireEvent.click(await button('Discard'));
  expect((await comments()).value).toBe('');
  expect(drafts.all()).toEqual([]);
});

it('opens a new mount as it was chosen and named', async () => {
  const drafts = draftsOf();
  const dialog = (
    <NewViewset
      patientId={idOf(1)}
      customerId={idOf(2)}
      study={study()}
      barred={{ template: null, study: null }}
      onClose={() => {}}
      onMade={() => {}}
    />
  );
  const first = await showKept(drafts, dialog);
  fireEvent.click(await screen.findByRole('radio', { name: 'Own layout' }));
  write(await screen.findByRole('textbox', { name: 'Name' }), 'Endo 36');
  first.unmount();
  await showKept(drafts, dialog);
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })).value).toBe('Endo 36');
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Own layout' })).checked).toBe(true);
});

it('offers each draft by its name, to be gone on with, or discarded with a way back', async () => {
  const drafts = draftsOf();
  const id = '00000000-0000-4000-8000-000000000001';
  drafts.keep({
    key: `edit-patient/${id}`,
    place: `/patient/${id}`,
    what: { kind: 'edit-patient', name: 'Anna Lind', patientId: id },
    content: {},
  });
  const onGo = vi.fn();
  await showKept(drafts, <DraftOffers onGo={onGo} />);
  await screen.findByText('the details of Anna Lind');
  fireEvent.click(await button('Continue'));
  expect(onGo).toHaveBeenCalledWith(`/patient/${id}`);
  expect(drafts.resumed()).toBe(`edit-patient/${id}`);
  fireEvent.click(await button('Discard'));
  expect(drafts.all()).toEqual([]);
  fireEvent.click(await button('Undo'));
  expect(drafts.all()).toHaveLength(1);
});

it('merges field by field', () => {
  const basis = { a: 1, b: 1, c: 1, gone: 1 };
  const mine = { a: 2, b: 1, c: 2, gone: 2 };
  expect(mergedOf(basis, mine, { a: 3, b: 3, c: 2, added: 0 })).toEqual({
    values: { a: 2, b: 3, c: 2, added: 0 },
    theirs: ['a', 'b', 'c'],
    both: ['a'],
  });
});
