import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { plainDisplay } from '../../../contract/displays.ts';
import type { SharedContent, SharedImage } from '../../../contract/shared-links.ts';
import { ServiceError } from '../../../src/services/failure.ts';
import { loadSharedTexts } from '../../../src/views/language/translation.ts';
import { linkOf } from '../../../src/views/shared-page/link-of.ts';
import type { SharedAccess } from '../../../src/views/shared-page/shared-access.ts';
import { SharedPage } from '../../../src/views/shared-page/shared-page.tsx';
import { idOf } from '../records.ts';
import { show } from '../render.tsx';
import { stages } from '../viewer/fake-stage.ts';

vi.mock('../../../src/viewer/index.ts', () => import('../viewer/viewer-without-gpu.ts'));

const saved: string[] = [];
beforeEach(() => {
  saved.length = 0;
  stages.length = 0;
  URL.createObjectURL = () => 'blob:picture';
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  window.IntersectionObserver = class {
    readonly #seen: IntersectionObserverCallback;
    constructor(seen: IntersectionObserverCallback) {
      this.#seen = seen;
    }
    observe() {
      this.#seen([{ isIntersecting: true } as IntersectionObserverEntry], this as unknown as IntersectionObserver);
    }
    disconnect() {}
  } as unknown as typeof IntersectionObserver;
});

const image = (number: number, more: Partial<SharedImage> = {}): SharedImage => ({
  uid: idOf(number),
  kind: 'image',
  date: '2026-03-12',
  modality: 'IO',
  teeth: [36],
  frames: 1,
  transferSyntax: '1.2.840.10008.1.2.1',
  display: null,
  ...more,
});
const turned = { ...plainDisplay, rotation: 90 };
const content: SharedContent = {
  clinic: 'Provkliniken',
  recipient: 'Käkkirurgen',
  purpose: 'Remiss',
  question: 'Periapikal 36?',
  expiresAt: '2026-12-04T12:00:00.000Z',
  patient: null,
  images: [
    image(1, { display: turned }),
    image(2, { date: null, teeth: [], frames: 3 }),
    image(3, { kind: 'document' }),
  ],
};
const link = { id: idOf(7), secret: 's'.repeat(43) };
const refused = (code: 'shared-link-invalid' | 'not-found' | 'too-many-requests') =>
  new ServiceError({ kind: 'refused', status: 404, code, errors: [] });

const accessOf = (more: Partial<SharedAccess> = {}): SharedAccess => ({
  open: async () => content,
  leave: vi.fn(),
  openImages: (() => {
    const images = Promise.resolve({});
    return () => images;
  })() as unknown as SharedAccess['openImages'],
  thumbnail: async () => new Blob(['jpeg']),
  download: async () => ({ content: new Blob(['zip']), leftOut: 0 }),
  ...more,
});
const codeField = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Code' });
const openPage = async (access: SharedAccess, code = 'abcd-efgh') => {
  await show(<SharedPage link={link} access={access} />, loadSharedTexts);
  await userEvent.type(await codeField(), `${code}{Enter}`);
};
const openImages = async (access = accessOf()) => {
  await openPage(access);
  await screen.findByRole('toolbar', { name: 'Image tools' });
  await waitFor(() => expect(stages).toHaveLength(1));
  const [stage] = stages;
  if (!stage) throw new Error('no stage');
  return stage;
};
const tool = (name: string) => screen.getByRole('button', { name });

describe('the address', () => {
  it('has id and secret in the fragment', () => {
    expect(linkOf(`#${link.id}.${link.secret}`)).toEqual(link);
    for (const wrong of [
      '',
      '#',
      `#${link.id}`,
      `#${link.id}.short`,
      `#x.${link.secret}`,
      `#${link.id}.${link.secret}x`,
    ])
      expect(linkOf(wrong)).toBeNull();
  });

  it('is reported when it is not complete', async () => {
    await show(<SharedPage link={null} access={accessOf()} />, loadSharedTexts);
    expect((await screen.findByRole('alert')).textContent).toContain('The link is not complete');
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});

describe('the code', () => {
  it('is focused, sent with id and secret, and a wrong one is reported at the field', async () => {
    const open = vi.fn<SharedAccess['open']>(() => Promise.reject(refused('shared-link-invalid')));
    await openPage(accessOf({ open }), '2222');
    expect(open).toHaveBeenCalledWith(link, '2222');
    await screen.findByText('The link or the code is wrong or no longer valid');
    expect((await codeField()).getAttribute('aria-invalid')).toBe('true');
    open.mockResolvedValueOnce(content);
    await userEvent.type(await codeField(), '3{Enter}');
    await screen.findByText('Provkliniken');
  });
});

describe('the images', () => {
  it('are shown with what the sender stated, without the patient, in the display of the clinic', async () => {
    const stage = await openImages();
    for (const text of ['Provkliniken', 'Käkkirurgen', 'Remiss', 'Periapikal 36?'])
      expect(screen.getByText(text)).toBeDefined();
    expect(screen.queryByText('Patient')).toBeNull();
    expect(screen.getByText('Image 1 of 2, Intraoral, Tooth 36, 2026-03-12')).toBeDefined();
    expect(screen.getByText('Zip with an anonymised copy of the images (DICOM).')).toBeDefined();
    await waitFor(() => expect(stage.scenes.at(-1)?.images).toMatchObject([{ source: idOf(1), display: turned }]));
    expect(screen.getAllByRole('listitem')).toHaveLength(3);
    expect(screen.getAllByText('Document, in the download')).not.toHaveLength(0);
  });

  it('name the patient where the sender shows it, and then the zip has the original files', async () => {
    const patient = { name: 'Åsa Prov', personalNumber: '19800101-1234' };
    await openImages(accessOf({ open: async () => ({ ...content, patient }) }));
    expect(screen.getByText('Åsa Prov, 19800101-1234')).toBeDefined();
    expect(screen.getByText(/^Zip with the original files/)).toBeDefined();
  });

  it('are changed by buttons and keys, and each keeps how it was shown', async () => {
    const stage = await openImages();
    const shown = () => stage.scenes.at(-1)?.images[0];
    for (const name of ['Zoom in', 'Zoom out', 'Whole image', 'Turn right', 'Invert'])
      await userEvent.click(tool(name));
    expect(stage.acts).toEqual([
      { type: 'zoom', steps: 1 },
      { type: 'zoom', steps: -1 },
      { type: 'fit' },
      { type: 'rotate', quarters: 1 },
      { type: 'invert' },
    ]);
    const display = { ...turned, inverted: true };
    const settled = { id: idOf(1), gesture: 'invert', display, view: 'fit', followed: [] } as const;
    await act(async () => stage.emit({ type: 'gesture.settled', ...settled }));
    await userEvent.keyboard('.');
    await waitFor(() => expect(shown()).toMatchObject({ source: idOf(2), display: plainDisplay }));
    expect(tool('Next image').getAttribute('aria-disabled')).toBe('true');
    await userEvent.click(tool('Previous image'));
    await waitFor(() => expect(shown()).toMatchObject({ source: idOf(1), display }));
    await userEvent.click(tool('As stored'));
    await waitFor(() => expect(shown()).toMatchObject({ source: idOf(1), display: plainDisplay }));
    await act(async () => stage.emit({ type: 'tool.requested', tool: 'pan' }));
    await waitFor(() => expect(stage.scenes.at(-1)?.tool).toBe('pan'));
    await act(async () => stage.emit({ type: 'tool.requested', tool: 'length' }));
    expect(stage.scenes.at(-1)?.tool).toBe('pan');
    await userEvent.keyboard('{ArrowRight}');
    await userEvent.click(tool('Next frame'));
    await waitFor(() => expect(shown()).toMatchObject({ source: idOf(2), frame: 2 }));
    expect(screen.getByText('Frame 2 of 3')).toBeDefined();
  });

  it('come into view when they are chosen from a list below, and the list does not move the page', async () => {
    const scrolled: Element[] = [];
    Element.prototype.scrollIntoView = function (this: Element) {
      scrolled.push(this);
    };
    const stage = await openImages();
    expect(scrolled).toEqual([]);
    await userEvent.click(screen.getAllByRole('button', { name: /^Intraoral/ })[1] as HTMLElement);
    await waitFor(() => expect(stage.scenes.at(-1)?.images).toMatchObject([{ source: idOf(2) }]));
    expect(scrolled).toHaveLength(1);
    expect(scrolled[0]?.querySelector('[role=toolbar]')).not.toBeNull();
  });

  it('report one that cannot be shown, and try again', async () => {
    const stage = await openImages();
    await act(async () => stage.emit({ type: 'image.failed', id: idOf(1), error: refused('not-found') }));
    await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(stages).toHaveLength(2));
    expect(stage.disposed).toBe(true);
    expect(screen.getByText('Loading the image')).toBeDefined();
  });

  it('give way to the code when the link or the visit has ended', async () => {
    const access = accessOf();
    const stage = await openImages(access);
    await act(async () => stage.emit({ type: 'image.failed', id: idOf(1), error: refused('shared-link-invalid') }));
    expect(await codeField()).toBeDefined();
    expect(screen.getByText(/^The page was open for 30 minutes, or the link has ended/)).toBeDefined();
    expect(access.leave).toHaveBeenCalled();
    expect(stage.disposed).toBe(true);
  });

  it('are left by a button, after which the code is needed again', async () => {
    const access = accessOf();
    await openImages(access);
    await userEvent.click(tool('Close'));
    expect((await codeField()).value).toBe('');
    expect(access.leave).toHaveBeenCalled();
    expect(screen.queryByText('Provkliniken')).toBeNull();
  });
});

describe('the download', () => {
  it('saves a zip and says what is not in it', async () => {
    await openImages(accessOf({ download: async () => ({ content: new Blob(['zip']), leftOut: 1 }) }));
    await userEvent.click(tool('Download'));
    expect(await screen.findByText(/^1 image is not in the download/)).toBeDefined();
    expect(saved).toEqual([expect.stringMatching(/^images-\d{4}-\d\d-\d\d\.zip$/)]);
  });

  it('can be stopped, and reports a failure', async () => {
    let stopped = false;
    const download: SharedAccess['download'] = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          stopped = true;
          reject(new Error('stopped'));
        });
      });
    const access = accessOf({ download: vi.fn(download) });
    await openImages(access);
    await userEvent.click(tool('Download'));
    await userEvent.click(await screen.findByRole('button', { name: /^Stop/ }));
    expect(stopped).toBe(true);
    vi.mocked(access.download).mockRejectedValueOnce(new ServiceError({ kind: 'offline' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Download' }));
    expect(await screen.findByText(/^The images could not be downloaded/)).toBeDefined();
    expect(saved).toEqual([]);
  });

  it('gives way to the code when the link has ended', async () => {
    await openImages(accessOf({ download: () => Promise.reject(refused('shared-link-invalid')) }));
    await userEvent.click(tool('Download'));
    expect(await codeField()).toBeDefined();
  });
});
