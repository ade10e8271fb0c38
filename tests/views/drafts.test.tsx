import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { createDrafts } from '../../src/services/drafts.ts';
import type { TextStore } from '../../src/services/tokens.ts';
import { type DraftStore, DraftsProvider } from '../../src/views/app/drafts-context.ts';
import { DraftOffers } from '../../src/views/drafts/draft-offers.tsx';
import { EditPatient } from '../../src/views/edit/edit-patient.tsx';
import { EditStudy } from '../../src/views/edit/edit-study.tsx';
import { NewViewset } from '../../src/views/edit/new-viewset.tsx';
import { mergedOf } from '../../src/views/forms/stored-draft.tsx';
import { patient, refused, showWith, study, writing } from './edit/edit-fixture.tsx';
import { idOf } from './records.ts';

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
  drafts.setOwner('anna');
  return drafts;
};
const showRestored = (drafts: DraftStore, piece: ReactNode, queries = writing()) =>
  showWith(queries, <DraftsProvider value={drafts}>{piece}</DraftsProvider>);

const comments = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Comments' });
const write = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
const button = (name: string) => screen.findByRole('button', { name });

it('restores the input after a page reload, and saves it', async () => {
  const drafts = draftsOf();
  const first = await showRestored(drafts, <EditPatient canUnprotect patient={patient()} onClose={() => {}} />);
  write(await comments(), 'Allergic to latex');
  first.unmount();
  expect(drafts.offered()).toMatchObject([{ what: { kind: 'edit-patient', name: 'Anna Lind' } }]);

  const queries = writing();
  const onClose = vi.fn();
  await showRestored(drafts, <EditPatient canUnprotect patient={patient()} onClose={onClose} />, queries);
  expect(drafts.offered()).toEqual([]);
  await waitFor(async () => expect((await comments()).value).toBe('Allergic to latex'));
  expect(screen.getByText(/is filled in again/)).toBeTruthy();
  fireEvent.click(await button('Save'));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(queries.updatePatient).toHaveBeenCalledWith(expect.objectContaining({ comments: 'Allergic to latex' }));
  expect(drafts.all()).toEqual([]);
});

it('stores nothing after cancel, and nothing of an unchanged form', async () => {
  const drafts = draftsOf();
  const onClose = vi.fn();
  await showRestored(drafts, <EditPatient canUnprotect patient={patient()} onClose={onClose} />);
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

it('keeps the input when saving fails because the session has ended', async () => {
  const drafts = draftsOf();
  const queries = writing({ updateStudy: () => Promise.reject(refused('not-signed-in')) });
  const { unmount } = await showRestored(drafts, <EditStudy study={study()} onClose={() => {}} />, queries);
  write(await screen.findByRole('textbox', { name: 'Description' }), 'Check-up, lower jaw');
  fireEvent.click(await button('Save'));
  await screen.findByText(/problem with authorization/);
  unmount();
  expect(drafts.offered()).toMatchObject([{ content: { mine: { description: 'Check-up, lower jaw' } } }]);
});

it('shows what another user changed meanwhile, and keeps both edits', async () => {
  const drafts = draftsOf();
  const first = await showRestored(drafts, <EditPatient canUnprotect patient={patient()} onClose={() => {}} />);
  write(await comments(), 'Allergic to latex');
  first.unmount();
  const queries = writing();
  const theirs = patient({ comments: 'Pregnant', lastName: 'Lindh' }, 4);
  await showRestored(drafts, <EditPatient canUnprotect patient={theirs} onClose={() => {}} />, queries);
  await screen.findByText(/Another user has changed this in the meantime/);
  expect(screen.getByText(/Comments: changed to “Pregnant”/)).toBeTruthy();
  expect(screen.getByText(/Last name: changed to “Lindh”/)).toBeTruthy();
  fireEvent.click(await button('Save'));
  await waitFor(() => expect(queries.updatePatient).toHaveBeenCalled());
  expect(queries.updatePatient).toHaveBeenCalledWith(
    expect.objectContaining({ comments: 'Allergic to latex', lastName: 'Lindh', version: 4 }),
  );
});

it("restores the server's values when the draft is discarded", async () => {
  const drafts = draftsOf();
  const first = await showRestored(drafts, <EditPatient canUnprotect patient={patient()} onClose={() => {}} />);
  write(await comments(), 'Allergic to latex');
  first.unmount();
  await showRestored(drafts, <EditPatient canUnprotect patient={patient()} onClose={() => {}} />);
  await waitFor(async () => expect((await comments()).value).toBe('Allergic to latex'));
  fireEvent.click(await button('Discard'));
  expect((await comments()).value).toBe('');
  expect(drafts.all()).toEqual([]);
});

it('restores template and name of a new mount', async () => {
  const drafts = draftsOf();
  const dialog = (
    <NewViewset
      patientId={idOf(1)}
      customerId={idOf(2)}
      study={study()}
      disabledReasons={{ template: null, study: null }}
      onClose={() => {}}
      onMade={() => {}}
    />
  );
  const first = await showRestored(drafts, dialog);
  fireEvent.click(await screen.findByRole('radio', { name: 'Custom layout' }));
  write(await screen.findByRole('textbox', { name: 'Name' }), 'Endo 36');
  first.unmount();
  await showRestored(drafts, dialog);
  expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' })).value).toBe('Endo 36');
  expect((await screen.findByRole<HTMLInputElement>('radio', { name: 'Custom layout' })).checked).toBe(true);
});

it('offers each draft by name, to continue or to discard with undo', async () => {
  const drafts = draftsOf();
  const id = '00000000-0000-4000-8000-000000000001';
  drafts.save({
    key: `edit-patient/${id}`,
    place: `/patient/${id}`,
    what: { kind: 'edit-patient', name: 'Anna Lind', patientId: id },
    content: {},
  });
  const onGo = vi.fn();
  await showRestored(drafts, <DraftOffers onGo={onGo} />);
  await screen.findByText('the details of Anna Lind');
  fireEvent.click(await button('Continue'));
  expect(onGo).toHaveBeenCalledWith(`/patient/${id}`);
  expect(drafts.resumed()).toBe(`edit-patient/${id}`);
  fireEvent.click(await button('Discard'));
  expect(drafts.all()).toEqual([]);
  fireEvent.click(await button('Undo'));
  expect(drafts.all()).toHaveLength(1);
});

it('names the image or mount of an unsaved note, and goes there', async () => {
  const drafts = draftsOf();
  const onGo = vi.fn();
  const id = idOf(7);
  const what = { kind: 'note', patientId: idOf(1), id } as const;
  const content = { text: 'Caries', version: 0 };
  drafts.save({ key: 'one', place: '/one', what: { ...what, subject: 'image', name: '36' }, content });
  drafts.save({ key: 'two', place: '/two', what: { ...what, subject: 'viewset', name: 'FMX 18' }, content });
  await showRestored(drafts, <DraftOffers onGo={onGo} />);
  expect(screen.getByText('the note on the image 36')).toBeTruthy();
  expect(screen.getByText('the note on the mount FMX 18')).toBeTruthy();
  const [, second] = await screen.findAllByRole('button', { name: 'Continue' });
  if (second) fireEvent.click(second);
  expect(onGo).toHaveBeenCalledExactlyOnceWith('/two');
  expect(drafts.resumed()).toBe('two');
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
