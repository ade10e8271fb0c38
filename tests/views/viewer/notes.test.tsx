import { Notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createActor } from 'xstate';
import type { NoteVersion } from '../../../contract/notes.ts';
import { createDrafts, type Drafts } from '../../../src/services/drafts.ts';
import { ServiceError } from '../../../src/services/failure.ts';
import { DraftsProvider } from '../../../src/views/app/drafts-context.ts';
import { type AppQueries, AppQueriesProvider } from '../../../src/views/app/queries-context.tsx';
import type { ShownContent } from '../../../src/views/app/shown-content.ts';
import { imageNote, mountNote } from '../../../src/views/workspace/notes/note-parts.tsx';
import { ViewerWorkspace } from '../../../src/views/workspace/viewer/viewer-workspace.tsx';
import { InWorkspace } from '../in-workspace.tsx';
import { aViewset, idOf } from '../records.ts';
import { show } from '../render.tsx';
import { stages } from './fake-stage.ts';
import { imageInfo, noHistory, noPriors, plainProps, viewsetItem } from './workspace-fixtures.ts';
import { openImages, viewerWithoutSaving } from './workspace-on-stage.tsx';

vi.mock('../../../src/viewer/index.ts', () => import('./viewer-without-gpu.ts'));

const maja = { id: idOf(50), name: 'Maja Lindqvist' };
const elias = { id: idOf(51), name: 'Elias Östergren' };
const version = (number: number, changes: Partial<NoteVersion> = {}): NoteVersion => ({
  version: number,
  state: 'draft',
  text: `Text ${number}`,
  author: maja,
  savedAt: `2026-03-0${number}T10:12:00.000Z`,
  ...changes,
});

/** An archive of notes that checks versions as the server does. */
const archiveOf = (first: Readonly<Record<string, readonly NoteVersion[]>>) => {
  const notes = new Map(Object.entries(first));
  const versionsOf = (id: string) => [...(notes.get(id) ?? [])];
  const add = (id: string, next: NoteVersion) => notes.set(id, [next, ...versionsOf(id)]);
  const summaryOf = (id: string) => {
    const [newest] = versionsOf(id);
    return newest ? { version: newest.version, state: newest.state } : null;
  };
  const save = vi.fn(async (body: Parameters<AppQueries['saveNote']>[0]) => {
    if (body.version !== (summaryOf(body.id)?.version ?? 0))
      throw new ServiceError({ kind: 'refused', status: 409, code: 'conflict', errors: [] });
    const saved = version(body.version + 1, {
      state: body.state,
      text: body.state === 'removed' ? '' : body.text.trim(),
    });
    add(body.id, saved);
    return saved;
  });
  return { versionsOf, add, summaryOf, save };
};

type Archive = ReturnType<typeof archiveOf>;

const draftsOf = (tab = new Map<string, string>()): Drafts => {
  const store = {
    getItem: (key: string) => tab.get(key) ?? null,
    setItem: (key: string, value: string) => void tab.set(key, value),
    removeItem: (key: string) => void tab.delete(key),
  };
  const drafts = createDrafts({ tabStore: store, sharedStore: { ...store, getItem: () => null } });
  drafts.setOwner('maja');
  return drafts;
};

const [first, second] = [imageInfo(1), imageInfo(2)];
const mountId = idOf(7);

interface Options {
  readonly archive?: Archive;
  readonly drafts?: Drafts;
  /** The slot that is selected first; null: none. */
  readonly slot?: number | null;
}

/** Shows two images in a mount with their notes; `choose` selects another slot, `announce` tells of a change like the hub. */
const openMount = async ({ archive = archiveOf({}), drafts = draftsOf(), slot = 0 }: Options = {}) => {
  const actor = createActor(viewerWithoutSaving).start();
  const page = { choose: (_: number | null) => {}, announce: async () => {} };
  const Page = () => {
    const [chosen, choose] = useState<number | null>(slot);
    const [, render] = useState(0);
    const client = useQueryClient();
    page.choose = choose;
    page.announce = async () => {
      render((count) => count + 1);
    };
    const saveNote: AppQueries['saveNote'] = async (body) => {
      try {
        const saved = await archive.save(body);
        client.setQueryData(['note', body.id], { versions: archive.versionsOf(body.id) });
        return saved;
      } finally {
        await page.announce();
      }
    };
    const note: AppQueries['note'] = (_, id) => ({
      queryKey: ['note', id],
      queryFn: async () => ({ versions: archive.versionsOf(id) }),
    });
    const images = [first, second].map((image) => ({ ...image, note: archive.summaryOf(image.uid) }));
    const items = images.map((activeImage, index) => viewsetItem(index, { activeImage }));
    const viewset = { ...aViewset(items), note: archive.summaryOf(mountId) };
    const content: ShownContent = { kind: 'mount', viewset };
    const item = chosen === null ? null : items[chosen];
    const image = item?.activeImage ?? null;
    const shown = item && image ? { image, item, viewsetId: mountId } : null;
    return (
      <AppQueriesProvider value={{ note, saveNote } as AppQueries}>
        <DraftsProvider value={drafts}>
          <Notifications />
          <InWorkspace viewer={actor} openImages={openImages}>
            <ViewerWorkspace
              {...plainProps}
              content={content}
              activeUid={image?.uid ?? null}
              navigation={{ ...noHistory, open: vi.fn(), step: vi.fn(), compare: null, prior: noPriors, back: null }}
              onChoose={vi.fn()}
              notes={[
                ...(shown ? [imageNote(shown, (teeth) => teeth.join(' '))] : []),
                mountNote(viewset, '2026-03-02'),
              ]}
            />
          </InWorkspace>
        </DraftsProvider>
      </AppQueriesProvider>
    );
  };
  const view = await show(<Page />);
  await act(async () => {});
  return {
    archive,
    drafts,
    view,
    choose: (to: number | null) => act(async () => page.choose(to)),
    announce: () => act(page.announce),
  };
};

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note on the image' });
const mountField = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note on the mount' });
const section = (of: HTMLElement = field()) => {
  const found = of.closest<HTMLElement>('[data-note]');
  if (!found) throw new Error('no note');
  return within(found);
};
const write = (value: string, into = field()) => act(async () => void fireEvent.change(into, { target: { value } }));
const press = (name: string, of?: HTMLElement) =>
  act(async () => void fireEvent.click(section(of).getByRole('button', { name })));
const isDisabled = (name: string) => section().getByRole('button', { name }).getAttribute('aria-disabled') === 'true';
const key = (target: Element, init: object) => act(async () => void fireEvent.keyDown(target, init));

// jsdom has no font loading API.
Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });

beforeEach(() => {
  stages.length = 0;
  localStorage.clear();
});

describe('a note', () => {
  it.each([
    ['the button', () => press('Save draft')],
    ['Ctrl + Enter', () => key(field(), { key: 'Enter', ctrlKey: true })],
  ])('is saved as a draft by %s, with author and time', async (_, save) => {
    const { archive, drafts } = await openMount();
    expect([isDisabled('Save draft'), isDisabled('Sign')]).toEqual([true, true]);
    await write('Caries 36\n');
    expect(section().getByText('Your text is not saved yet.')).toBeTruthy();
    await save();
    expect(archive.save).toHaveBeenCalledExactlyOnceWith({
      subject: 'image',
      id: first.uid,
      version: 0,
      state: 'draft',
      text: 'Caries 36\n',
    });
    const status = section().getByRole('status');
    expect(status.textContent).toMatch(/^DraftMaja Lindqvist2026-03-01 \d\d:12$/);
    expect(field().value).toBe('Caries 36');
    expect(drafts.all()).toEqual([]);
    expect(isDisabled('Save draft')).toBe(true);
  });

  it('is not sent again by a repeated Ctrl + Enter, nor when it is blank or too long', async () => {
    const { archive } = await openMount();
    for (const text of [' \n ', 'x'.repeat(2001)]) {
      await write(text);
      await key(field(), { key: 'Enter', ctrlKey: true });
      await press('Sign');
    }
    expect(section().getByText('At most 2000 characters, now 2001.')).toBeTruthy();
    expect(archive.save).not.toHaveBeenCalled();
    await write('Caries');
    for (const _ of ['once', 'again']) await key(field(), { key: 'Enter', ctrlKey: true });
    expect(archive.save).toHaveBeenCalledOnce();
  });

  it('of a colleague that is a draft can be signed as it is; a signed one only after a change, as a new version', async () => {
    const archive = archiveOf({ [first.uid]: [version(1, { author: elias })] });
    await openMount({ archive });
    await waitFor(() => expect(field().value).toBe('Text 1'));
    expect(isDisabled('Save draft')).toBe(true);
    await press('Sign');
    expect(section().getByRole('status').textContent).toContain('SignedMaja Lindqvist');
    expect([isDisabled('Save draft'), isDisabled('Sign')]).toEqual([true, true]);
    await write('Text 1, distal');
    await press('Save draft');
    expect(archive.versionsOf(first.uid).map(({ state, text }) => [state, text])).toEqual([
      ['draft', 'Text 1, distal'],
      ['signed', 'Text 1'],
      ['draft', 'Text 1'],
    ]);
    const earlier = section().getAllByRole('listitem', { hidden: true });
    expect(earlier.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^SignedMaja Lindqvist.*Text 1$/),
      expect.stringMatching(/^DraftElias Östergren.*Text 1$/),
    ]);
  });

  it('that is removed says by whom, and earlier versions stay readable', async () => {
    const archive = archiveOf({ [first.uid]: [version(1, { state: 'signed' })] });
    await openMount({ archive });
    await waitFor(() => expect(field().value).toBe('Text 1'));
    await write('Text 1 and more');
    expect(isDisabled('Remove')).toBe(true);
    await press('Remove');
    expect(archive.save).not.toHaveBeenCalled();
    await write('Text 1');
    await press('Remove');
    expect(section().getByRole('status').textContent).toContain('RemovedMaja Lindqvist');
    expect(field().value).toBe('');
    expect(section().getByText('Text 1')).toBeTruthy();
    for (const name of ['Copy', 'Remove']) expect(section().queryByRole('button', { name })).toBeNull();
    expect(screen.getByRole('region', { name: 'Image viewer' }).textContent).not.toMatch(/note/i);
  });

  it('is told over the active image, with a draft marked', async () => {
    const archive = archiveOf({ [first.uid]: [version(1)], [second.uid]: [version(1, { state: 'signed' })] });
    const { choose } = await openMount({ archive });
    const viewer = screen.getByRole('region', { name: 'Image viewer' });
    expect(viewer.textContent).toContain('Draft note');
    await choose(1);
    expect(viewer.textContent).toMatch(/(?<!Draft )Note/);
    expect(viewer.textContent).not.toContain('Draft note');
  });

  it('is copied with date, teeth, author and signature, but without the patient', async () => {
    const writeText = vi.fn(async (_: string) => {});
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true });
    const archive = archiveOf({ [first.uid]: [version(2, { state: 'signed' }), version(1)], [mountId]: [version(1)] });
    await openMount({ archive });
    await waitFor(() => expect(field().value).toBe('Text 2'));
    await write('Unsaved words');
    await press('Copy');
    expect(section().getByRole('button', { name: 'Copied' })).toBeTruthy();
    const [text = ''] = writeText.mock.calls[0] ?? [];
    expect(text).toMatch(/^Image 2026-03-02, tooth 21\nSigned 2026-03-02 \d\d:12, Maja Lindqvist\nText 2$/);
    await press('Copy', mountField());
    expect(writeText.mock.calls[1]?.[0]).toMatch(/^Mount 2026-03-02\nDraft, not signed, 2026-03-01 .*\nText 1$/);
    writeText.mockRejectedValueOnce(new Error('no clipboard'));
    await press('Copied', mountField());
    expect(await screen.findByText(/does not allow copying/)).toBeTruthy();
  });
});

describe('unsaved text', () => {
  it('stays with its image when another one is chosen, is offered, and never goes to the other image', async () => {
    const { archive, choose, drafts } = await openMount({ archive: archiveOf({ [second.uid]: [version(1)] }) });
    await write('Caries 36');
    await choose(1);
    await waitFor(() => expect(field().value).toBe('Text 1'));
    expect(drafts.offered()).toMatchObject([
      { what: { kind: 'note', subject: 'image', id: first.uid, name: '21' }, content: { text: 'Caries 36' } },
    ]);
    expect(drafts.offered()[0]?.place).toMatch(new RegExp(`\\?image=${first.uid}$`));
    await choose(0);
    expect(field().value).toBe('Caries 36');
    expect(drafts.offered()).toEqual([]);
    await press('Save draft');
    expect(archive.save.mock.calls.map(([{ id }]) => id)).toEqual([first.uid]);
    await choose(1);
    expect(field().value).toBe('Text 1');
  });

  it('that was typed while saving continues on the saved version', async () => {
    const archive = archiveOf({});
    let finish = () => {};
    const waiting = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const save = archive.save.getMockImplementation();
    archive.save.mockImplementation(async (body) => {
      await waiting;
      if (!save) throw new Error('no save');
      return save(body);
    });
    await openMount({ archive });
    await write('Caries');
    await press('Save draft');
    await write('Caries 36');
    await act(async () => finish());
    expect(field().value).toBe('Caries 36');
    expect(screen.queryByRole('button', { name: 'Keep my text' })).toBeNull();
    await press('Sign');
    expect(archive.versionsOf(first.uid).map(({ text }) => text)).toEqual(['Caries 36', 'Caries']);
  });

  it('is saved although its image was left meanwhile', async () => {
    const { archive, choose, drafts } = await openMount();
    await write('Caries 36');
    fireEvent.click(section().getByRole('button', { name: 'Sign' }));
    await choose(1);
    expect(archive.versionsOf(first.uid)).toMatchObject([{ text: 'Caries 36', state: 'signed' }]);
    expect(drafts.all()).toEqual([]);
    expect(field().value).toBe('');
  });

  it('survives a reload and opens the closed panel when the user continues', async () => {
    const tab = new Map<string, string>();
    const before = await openMount({ drafts: draftsOf(tab) });
    await write('Caries 36');
    before.view.unmount();
    localStorage.setItem('dentarium.panel.right', 'no');
    const drafts = draftsOf(tab);
    const [offered] = drafts.offered();
    await openMount({ drafts });
    expect(screen.queryByRole('textbox')).toBeNull();
    await act(async () => drafts.resume(offered?.key ?? null));
    await waitFor(() => expect(document.activeElement).toBe(field()));
    expect(field().value).toBe('Caries 36');
    expect(drafts.resumed()).toBeNull();
  });

  it('makes the browser ask before the tab closes', async () => {
    await openMount();
    const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(isAsked()).toBe(false);
    await write('Caries 36');
    expect(isAsked()).toBe(true);
    await press('Save draft');
    expect(isAsked()).toBe(false);
  });

  it('stays when saving fails, with the reason', async () => {
    const archive = archiveOf({});
    archive.save.mockRejectedValueOnce(new ServiceError({ kind: 'offline' }));
    const { drafts } = await openMount({ archive });
    await write('Caries 36');
    await press('Sign');
    expect(section().getByText(/problem with network/)).toBeTruthy();
    expect(field().value).toBe('Caries 36');
    expect(drafts.all()).toHaveLength(1);
    await press('Sign');
    expect(archive.versionsOf(first.uid)).toMatchObject([{ state: 'signed' }]);
  });
});

describe("a colleague's newer version", () => {
  it('is shown when it is announced', async () => {
    const archive = archiveOf({ [first.uid]: [version(1)] });
    const { announce } = await openMount({ archive });
    await waitFor(() => expect(field().value).toBe('Text 1'));
    archive.add(first.uid, version(2, { author: elias, text: 'Other words' }));
    await announce();
    await waitFor(() => expect(field().value).toBe('Other words'));
    expect(section().getByRole('status').textContent).toContain('Elias Östergren');
  });

  it.each([
    ['announced while writing', true],
    ['found when saving', false],
  ])('%s is shown beside the own text, and both can be kept', async (_, isAnnounced) => {
    const archive = archiveOf({ [first.uid]: [version(1)] });
    const { announce } = await openMount({ archive });
    await waitFor(() => expect(field().value).toBe('Text 1'));
    await write('My words');
    archive.add(first.uid, version(2, { author: elias, text: 'Other words' }));
    if (isAnnounced) await announce();
    else await press('Save draft');
    await waitFor(() => expect(section().getByText('Other words')).toBeTruthy());
    expect(section().getByText(/Another user has saved this version meanwhile/)).toBeTruthy();
    expect(field().value).toBe('My words');
    expect([isDisabled('Save draft'), isDisabled('Sign')]).toEqual([true, true]);
    await press('Keep my text');
    await press('Sign');
    expect(archive.versionsOf(first.uid).map(({ text }) => text)).toEqual(['My words', 'Other words', 'Text 1']);
  });

  it('replaces the own text when the user discards it', async () => {
    const archive = archiveOf({ [first.uid]: [version(1)] });
    const { announce, drafts } = await openMount({ archive });
    await waitFor(() => expect(field().value).toBe('Text 1'));
    await write('My words');
    archive.add(first.uid, version(2, { author: elias, text: 'Other words' }));
    await announce();
    await waitFor(() => expect(section().getByText('Other words')).toBeTruthy());
    await press('Discard my text');
    expect(field().value).toBe('Other words');
    expect(drafts.all()).toEqual([]);
  });
});

describe('Shift + N', () => {
  it('opens the closed panel and section and goes to the note of the image; Escape returns', async () => {
    localStorage.setItem('dentarium.panel.right', 'no');
    localStorage.setItem('dentarium.section.note', 'no');
    await openMount();
    const before = screen.getByRole('button', { name: 'Show the panel' });
    before.focus();
    await key(before, { key: 'N', shiftKey: true });
    await waitFor(() => expect(document.activeElement).toBe(field()));
    await key(field(), { key: 'Escape' });
    expect(document.activeElement).toBe(document.body);
    const heading = screen.getByRole('button', { name: 'Hide the panel' });
    heading.focus();
    await key(heading, { key: 'N', shiftKey: true });
    expect(document.activeElement).toBe(field());
    await key(field(), { key: 'N', shiftKey: true });
    await key(field(), { key: 'i' });
    expect(stages.at(-1)?.acts).toEqual([]);
    await key(field(), { key: 'Escape' });
    expect(document.activeElement).toBe(heading);
  });

  it('goes to the note of the mount while no image is chosen, like its section by hand', async () => {
    localStorage.setItem('dentarium.section.mount-note', 'no');
    const { archive, choose } = await openMount({ slot: null });
    expect(screen.queryByRole('textbox')).toBeNull();
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Note on the mount' })));
    expect(mountField()).toBeTruthy();
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Note on the mount' })));
    await key(document.body, { key: 'N', shiftKey: true });
    await waitFor(() => expect(document.activeElement).toBe(mountField()));
    await write('Full mouth', mountField());
    await press('Sign', mountField());
    expect(archive.versionsOf(mountId)).toMatchObject([{ text: 'Full mouth', state: 'signed' }]);
    await choose(0);
    expect(field().value).toBe('');
    expect(document.activeElement).not.toBe(field());
  });
});
