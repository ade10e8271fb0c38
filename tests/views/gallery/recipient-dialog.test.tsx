import { notifications } from '@mantine/notifications';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DownloadScope } from '../../../contract/gallery.ts';
import type { DownloadRequest, Gallery, LinkRequest } from '../../../src/services/queries.ts';
import { type AppContext, AppContextProvider } from '../../../src/views/app/app-context.tsx';
import { RecipientDialog } from '../../../src/views/gallery/recipient-dialog.tsx';
import type { KnownFiles } from '../../../src/views/gallery/recipient-form.tsx';
import { idOf } from '../records.ts';
import { show } from '../render.tsx';

const saved: string[] = [];
beforeEach(() => {
  saved.length = 0;
  // jsdom has no font loading API.
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  URL.createObjectURL = () => 'blob:zip';
  URL.revokeObjectURL = () => undefined;
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const counted = { files: 2, sizeBytes: 3_000_000 };

const openDialog = async (
  download: Gallery['download'],
  scope: DownloadScope = { imageUIDs: [idOf(1), idOf(2)] },
  known: KnownFiles | null = counted,
  queryFn: () => Promise<KnownFiles & { burnedIn: number | null; canShare?: boolean }> = async () => ({
    ...counted,
    burnedIn: null,
  }),
  makeLink: Gallery['makeLink'] = () => Promise.reject(new Error('no link')),
  offersRecord = scope.patientId !== undefined,
) => {
  const preview = (asked: DownloadScope) => ({ queryKey: ['download', asked], queryFn });
  const value = { download, preview, makeLink };
  const gallery = Object.assign(Promise.resolve(value), { status: 'fulfilled', value });
  const onClose = vi.fn();
  await show(
    <AppContextProvider value={{ gallery: () => gallery } as unknown as AppContext}>
      <RecipientDialog scope={scope} known={known} offersRecord={offersRecord} onClose={onClose} />
    </AppContextProvider>,
  );
  return onClose;
};
const submit = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Download \(/ });
const recipient = () => screen.getByRole('textbox', { name: /^Recipient/ });

it('asks for a recipient, and shows and focuses the password that encrypted the files', async () => {
  const requests: DownloadRequest[] = [];
  const onClose = await openDialog(async (request) => {
    requests.push(request);
    return { content: new Blob(['zip']), leftOut: 0, notExpressed: new Map() };
  });
  expect(submit().disabled).toBe(true);
  await userEvent.type(recipient(), 'Käkkirurgen');
  await userEvent.type(screen.getByRole('textbox', { name: 'Purpose' }), 'Remiss{Enter}');
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Password of images-/ });
  expect(document.activeElement).toBe(field);
  expect(requests).toEqual([
    { imageUIDs: [idOf(1), idOf(2)], recipient: 'Käkkirurgen', purpose: 'Remiss', password: field.value },
  ]);
  expect(saved).toHaveLength(1);
  await userEvent.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
  expect(document.body.textContent).toContain('Give it to Käkkirurgen in another way');
});

it('downloads without a password when the user declines encryption, and closes', async () => {
  const requests: DownloadRequest[] = [];
  const onClose = await openDialog(async (request) => {
    requests.push(request);
    return { content: new Blob(['zip']), leftOut: 0, notExpressed: new Map() };
  });
  await userEvent.type(recipient(), 'Patienten');
  await userEvent.click(screen.getByRole('checkbox', { name: /^Encrypt/ }));
  await userEvent.click(submit());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(requests).toEqual([{ imageUIDs: [idOf(1), idOf(2)], recipient: 'Patienten' }]);
});

it('shows what it is doing, saves nothing when stopped, and can begin anew', async () => {
  let report: Parameters<Gallery['download']>[1] = () => {};
  let aborted = false;
  await openDialog(
    (_, onDownloaded, signal) =>
      new Promise((_resolve, reject) => {
        report = onDownloaded;
        signal.addEventListener('abort', () => {
          aborted = true;
          reject(new Error('stopped'));
        });
      }),
  );
  await userEvent.type(recipient(), 'Patienten{Enter}');
  await act(async () => report({ step: 'encrypting', loadedBytes: 1_000_000, totalBytes: 3_000_000 }));
  expect(screen.getByRole('progressbar', { name: 'Encrypting images' })).toBeDefined();
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Stop' })));
  expect(aborted).toBe(true);
  expect(saved).toEqual([]);
  expect(submit().disabled).toBe(false);
});

it('downloads the images of a study as a DICOM folder, counted by the archive', async () => {
  const requests: DownloadRequest[] = [];
  const download: Gallery['download'] = async (request) => {
    requests.push(request);
    return { content: new Blob(['zip']), leftOut: 0, notExpressed: new Map() };
  };
  const onClose = await openDialog(download, { studyId: idOf(7) }, null);
  await screen.findByRole('dialog', { name: '2 images for a recipient' });
  expect(submit().textContent).toBe('Download (3.00 MB)');
  await userEvent.type(recipient(), 'Käkkirurgen');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Content' }), 'DICOM folder with DICOMDIR');
  await userEvent.type(screen.getByRole('textbox', { name: /^Question to the recipient/ }), 'Periapikal 36?');
  await userEvent.click(screen.getByRole('checkbox', { name: /^Encrypt/ }));
  await userEvent.click(submit());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(requests).toEqual([
    { studyId: idOf(7), content: 'dicom', recipient: 'Käkkirurgen', question: 'Periapikal 36?' },
  ]);
});

it('adds mounts and marks to a DICOM folder when asked, and says what they cannot', async () => {
  const toasts = vi.spyOn(notifications, 'show');
  const requests: DownloadRequest[] = [];
  const download: Gallery['download'] = async (request) => {
    requests.push(request);
    const notExpressed = new Map([
      ['angle', 1],
      ['filters', 2],
    ] as const);
    return { content: new Blob(['zip']), leftOut: 0, notExpressed };
  };
  await openDialog(download, { studyId: idOf(7) }, null);
  await screen.findByRole('dialog', { name: '2 images for a recipient' });
  expect(screen.queryByRole('checkbox', { name: /^Also mounts and marks/ })).toBeNull();
  await userEvent.type(recipient(), 'Käkkirurgen');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Content' }), 'DICOM folder with DICOMDIR');
  await userEvent.click(screen.getByRole('checkbox', { name: /^Also mounts and marks/ }));
  await userEvent.click(screen.getByRole('checkbox', { name: /^Encrypt/ }));
  await userEvent.click(submit());
  const message = 'DICOM objects cannot say everything. The file left-out-displays.csv in the zip lists it:';
  const expected = expect.objectContaining({ message: `${message}\n• free rotation\n• filters` });
  await waitFor(() => expect(toasts).toHaveBeenCalledWith(expected));
  expect(requests).toEqual([{ studyId: idOf(7), content: 'dicom', displayObjects: true, recipient: 'Käkkirurgen' }]);
});

it('requests notes and measurements as structured reports when they are chosen', async () => {
  const requests: DownloadRequest[] = [];
  const download: Gallery['download'] = async (request) => {
    requests.push(request);
    return { content: new Blob(['zip']), leftOut: 0, notExpressed: new Map() };
  };
  await openDialog(download, { studyId: idOf(7) }, null);
  await screen.findByRole('dialog', { name: '2 images for a recipient' });
  expect(screen.queryByRole('checkbox', { name: /^Also notes and measurements/ })).toBeNull();
  await userEvent.type(recipient(), 'Käkkirurgen');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Content' }), 'DICOM folder with DICOMDIR');
  await userEvent.click(screen.getByRole('checkbox', { name: /^Also notes and measurements/ }));
  await userEvent.click(screen.getByRole('checkbox', { name: /^Encrypt/ }));
  await userEvent.click(submit());
  await waitFor(() =>
    expect(requests).toEqual([{ studyId: idOf(7), content: 'dicom', reportObjects: true, recipient: 'Käkkirurgen' }]),
  );
});

it('asks for uncompressed images and for pictures in the language of the page', async () => {
  const requests: DownloadRequest[] = [];
  const download: Gallery['download'] = async (request) => {
    requests.push(request);
    return { content: new Blob(['zip']), leftOut: 0, notExpressed: new Map() };
  };
  const onClose = await openDialog(download, { studyId: idOf(7) }, null);
  await screen.findByRole('dialog', { name: '2 images for a recipient' });
  await userEvent.type(recipient(), 'Käkkirurgen');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Content' }), 'DICOM folder with DICOMDIR');
  await userEvent.click(screen.getByRole('checkbox', { name: /^Uncompressed/ }));
  await userEvent.click(screen.getByRole('checkbox', { name: /^With pictures/ }));
  expect(screen.getByRole<HTMLButtonElement>('button', { name: /^Download \(at least/ }).disabled).toBe(false);
  await userEvent.click(screen.getByRole('checkbox', { name: /^Encrypt/ }));
  await userEvent.click(submit());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  const content = { content: 'dicom', uncompressed: true, pictureIndex: true, language: 'en' };
  expect(requests).toEqual([{ studyId: idOf(7), ...content, recipient: 'Käkkirurgen' }]);
});

it('does not send the choice with another content', async () => {
  const requests: DownloadRequest[] = [];
  const download: Gallery['download'] = async (request) => {
    requests.push(request);
    return { content: new Blob(['zip']), leftOut: 0, notExpressed: new Map() };
  };
  await openDialog(download, { studyId: idOf(7) }, null);
  await userEvent.type(recipient(), 'Käkkirurgen');
  const content = screen.getByRole('combobox', { name: 'Content' });
  await userEvent.selectOptions(content, 'DICOM folder with DICOMDIR');
  await userEvent.click(screen.getByRole('checkbox', { name: /^Also mounts and marks/ }));
  await userEvent.selectOptions(content, 'Original files');
  await userEvent.click(screen.getByRole('checkbox', { name: /^Encrypt/ }));
  await userEvent.click(submit());
  await waitFor(() => expect(requests).toEqual([{ studyId: idOf(7), recipient: 'Käkkirurgen' }]));
});

it('offers the whole record of a patient, and of nothing less', async () => {
  const requests: DownloadRequest[] = [];
  const download: Gallery['download'] = async (request) => {
    requests.push(request);
    return { content: new Blob(['zip']), leftOut: 0, notExpressed: new Map() };
  };
  const onClose = await openDialog(download, { patientId: idOf(7) }, null);
  await screen.findByRole('dialog', { name: '2 images for a recipient' });
  await userEvent.type(recipient(), 'Eva Sund');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Content' }), 'The whole record');
  await userEvent.click(screen.getByRole('checkbox', { name: /^Encrypt/ }));
  await userEvent.click(submit());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(requests).toEqual([{ patientId: idOf(7), content: 'record', language: 'en', recipient: 'Eva Sund' }]);
  cleanup();
  await openDialog(download, { studyId: idOf(7) }, null);
  await screen.findByRole('dialog', { name: '2 images for a recipient' });
  expect(screen.queryByRole('option', { name: 'The whole record' })).toBeNull();
});

it('offers the record alone of a patient without images, and nothing to a user without the right to it', async () => {
  const requests: DownloadRequest[] = [];
  const download: Gallery['download'] = async (request) => {
    requests.push(request);
    return { content: new Blob(['zip']), leftOut: 0, notExpressed: new Map() };
  };
  const none = async () => ({ files: 0, sizeBytes: 0, burnedIn: null, canShare: false });
  const onClose = await openDialog(download, { patientId: idOf(7) }, null, none);
  await screen.findByRole('dialog', { name: 'Record for a recipient' });
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['The whole record']);
  await userEvent.type(recipient(), 'Eva Sund');
  await userEvent.click(screen.getByRole('checkbox', { name: /^Encrypt/ }));
  await userEvent.click(submit());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(requests).toEqual([{ patientId: idOf(7), content: 'record', language: 'en', recipient: 'Eva Sund' }]);
  cleanup();
  await openDialog(download, { patientId: idOf(7) }, null, none, undefined, false);
  expect(await screen.findByText('No images found')).toBeTruthy();
  expect(screen.queryByRole('textbox')).toBeNull();
});

it('reports when the images cannot be counted', async () => {
  const failed = () => Promise.reject(Object.assign(new Error(), { failure: { kind: 'refused', code: 'not-found' } }));
  await openDialog(
    async () => ({ content: new Blob([]), leftOut: 0, notExpressed: new Map() }),
    { patientId: idOf(7) },
    null,
    failed,
  );
  expect((await screen.findByRole('alert')).textContent).not.toBe('');
  expect(screen.queryByRole('textbox')).toBeNull();
});

it('makes an anonymised copy after the user has confirmed the images that may have text in them', async () => {
  const requests: DownloadRequest[] = [];
  const download: Gallery['download'] = async (request) => {
    requests.push(request);
    return { content: new Blob(['zip']), leftOut: 0, notExpressed: new Map() };
  };
  await openDialog(download, { studyId: idOf(7) }, counted, async () => ({ ...counted, burnedIn: 2 }));
  await userEvent.type(recipient(), 'Käkkirurgen');
  await userEvent.type(screen.getByRole('textbox', { name: /^Question/ }), 'Anna Lind?');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Content' }), 'Anonymised copy');
  // A question would name the patient.
  expect(screen.queryByRole('textbox', { name: /^Question/ })).toBeNull();
  await screen.findByText(/^2 images may have text in the picture/);
  expect(submit().disabled).toBe(true);
  await userEvent.type(recipient(), '{Enter}');
  expect(requests).toEqual([]);
  await userEvent.click(screen.getByRole('checkbox', { name: 'I have looked at the images' }));
  await userEvent.click(screen.getByRole('checkbox', { name: /^Encrypt/ }));
  await userEvent.type(recipient(), '{Enter}');
  await waitFor(() =>
    expect(requests).toEqual([
      { studyId: idOf(7), content: 'anonymised', confirmedBurnedIn: 2, recipient: 'Käkkirurgen' },
    ]),
  );
});

it('makes an anonymised copy without a confirmation when no image may have text in it', async () => {
  const requests: DownloadRequest[] = [];
  const download: Gallery['download'] = async (request) => {
    requests.push(request);
    return { content: new Blob(['zip']), leftOut: 0, notExpressed: new Map() };
  };
  let count = (_: { burnedIn: number }) => {};
  const counting = new Promise<{ burnedIn: number }>((resolve) => {
    count = resolve;
  });
  await openDialog(download, { studyId: idOf(7) }, counted, async () => ({ ...counted, ...(await counting) }));
  await userEvent.type(recipient(), 'Käkkirurgen');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Content' }), 'Anonymised copy');
  await screen.findByText('Checking the images');
  expect(submit().disabled).toBe(true);
  await act(async () => count({ burnedIn: 0 }));
  await waitFor(() => expect(submit().disabled).toBe(false));
  await userEvent.click(submit());
  await waitFor(() => expect(requests).toHaveLength(1));
  expect(requests[0]).toMatchObject({ content: 'anonymised' });
  expect(requests[0]).not.toHaveProperty('confirmedBurnedIn');
});

const noDownload: Gallery['download'] = () => Promise.reject(new Error('no download'));
const contentChoice = () => screen.getByRole('combobox', { name: 'Content' });
const address = `${window.location.origin}/shared#${idOf(5)}.${'s'.repeat(43)}`;
const madeLink = { id: idOf(5), secret: 's'.repeat(43), code: 'ABCDEFGH', expiresAt: '2026-12-04T12:00:00.000Z' };

it('offers no link unless the archive accepts one', async () => {
  await openDialog(noDownload);
  expect([...contentChoice().children].map(({ textContent }) => textContent)).not.toContain(
    'Link to a page with the images',
  );
});

it('makes a link that hides the patient after the images with text are confirmed, and shows link and code once', async () => {
  const requests: LinkRequest[] = [];
  const makeLink: Gallery['makeLink'] = async (request) => {
    requests.push(request);
    return madeLink;
  };
  const queryFn = async () => ({ ...counted, burnedIn: 2, canShare: true });
  const onClose = await openDialog(noDownload, { studyId: idOf(7) }, counted, queryFn, makeLink);
  await userEvent.type(recipient(), ' Käkkirurgen ');
  await screen.findByRole('option', { name: 'Link to a page with the images' });
  await userEvent.selectOptions(contentChoice(), 'Link to a page with the images');
  expect(screen.queryByRole('checkbox', { name: /^Encrypt/ })).toBeNull();
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Valid for' }).value).toBe('7');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Valid for' }), '1 day');
  await userEvent.type(screen.getByRole('textbox', { name: /^Question/ }), 'Periapikal 36?');
  const make = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Make link' });
  await screen.findByText(/^2 images may have text in the picture/);
  expect(make().disabled).toBe(true);
  await userEvent.click(screen.getByRole('checkbox', { name: 'I have looked at the images' }));
  await userEvent.click(make());
  const link = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Link' });
  expect(link.value).toBe(address);
  expect(document.activeElement).toBe(link);
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Code' }).value).toBe('ABCD-EFGH');
  expect(document.body.textContent).toContain('never in the same message as the link');
  expect(requests).toEqual([
    {
      studyId: idOf(7),
      recipient: 'Käkkirurgen',
      question: 'Periapikal 36?',
      days: '1',
      showsPatient: false,
      confirmedBurnedIn: 2,
    },
  ]);
  await userEvent.keyboard('{Escape}');
  expect(onClose).not.toHaveBeenCalled();
});

it('says that a link with the name of the patient gives the original files, and why it could not be made', async () => {
  const requests: LinkRequest[] = [];
  const makeLink: Gallery['makeLink'] = (request) => {
    requests.push(request);
    return Promise.reject(Object.assign(new Error(), { failure: { kind: 'refused', code: 'sharing-off' } }));
  };
  const queryFn = async () => ({ ...counted, burnedIn: 2, canShare: true });
  await openDialog(noDownload, { studyId: idOf(7) }, counted, queryFn, makeLink);
  await userEvent.type(recipient(), 'Käkkirurgen');
  await screen.findByRole('option', { name: 'Link to a page with the images' });
  await userEvent.selectOptions(contentChoice(), 'Link to a page with the images');
  const shows = screen.getByRole<HTMLInputElement>('checkbox', { name: /^Show the patient’s name/ });
  expect(shows.checked).toBe(false);
  await screen.findByText(/^The download is an anonymised copy/);
  await userEvent.click(shows);
  await screen.findByText('The download has the original files, with patient data.');
  expect(screen.queryByText(/may have text in the picture/)).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Make link' }));
  await waitFor(() => expect(requests).toHaveLength(1));
  expect(requests[0]).toEqual({ studyId: idOf(7), recipient: 'Käkkirurgen', days: '7', showsPatient: true });
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Code' })).toBeNull());
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Make link' }).disabled).toBe(false);
});
