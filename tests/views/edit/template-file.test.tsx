import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { Template } from '../../../contract/viewsets.ts';
import { TemplateFile } from '../../../src/views/edit/template-file.tsx';
import { idOf } from '../records.ts';
import { refused, showWith, template, writing } from './edit-fixture.tsx';

const open = async (changes: Parameters<typeof writing>[0] = {}, importDisabledReason: string | null = null) => {
  const archive = writing(changes);
  const onImported = vi.fn<(template: Template) => void>();
  await showWith(
    archive,
    <TemplateFile {...{ customerId: idOf(2), template: template(1, 'FMX 18'), importDisabledReason, onImported }} />,
  );
  const give = (file: File) => {
    const input = document.querySelector<HTMLInputElement>('input[type=file]');
    if (!input) throw new Error('no file input');
    return userEvent.upload(input, file, { applyAccept: false });
  };
  return { archive, onImported, give };
};

it('saves the chosen template, and says what other programs will not see of it', async () => {
  const saved: string[] = [];
  URL.createObjectURL = () => 'blob:template';
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const { archive } = await open();
  await userEvent.click(screen.getByRole('button', { name: 'Export as DICOM' }));
  await screen.findByText('Other programs will not see these: rotation of slots.');
  expect(archive.templateFile).toHaveBeenCalledWith(template(1, '').uuid);
  expect(saved).toEqual(['FMX 18.dcm']);
});

it('imports a file, chooses its template, and names what the template does not have', async () => {
  const reply = { template: template(2, 'Bitewing 2'), notTaken: ['priors', 'later-part', 'box-kind'] };
  const { archive, onImported, give } = await open({ importTemplate: vi.fn(async () => reply) });
  await give(new File([Uint8Array.of(0, 255, 68)], 'protocol.dcm'));
  await screen.findByText('“Bitewing 2” is a template of the clinic.');
  expect(archive.importTemplate).toHaveBeenCalledWith({ customerId: idOf(2), file: 'AP9E' });
  expect(onImported).toHaveBeenCalledWith(reply.template);
  expect(
    screen.getByText('The template does not have these: earlier studies, boxes with several images.'),
  ).toBeTruthy();
});

it('says what is wrong with a file', async () => {
  const reject = async () => {
    throw refused('invalid-request', [{ fieldKey: 'file', vars: { problem: 'no-slots' } }]);
  };
  const { give, onImported } = await open({ importTemplate: vi.fn(reject) });
  await give(new File(['DICM'], 'protocol.dcm'));
  await screen.findByText('The Hanging Protocol has no boxes for images');
  expect(onImported).not.toHaveBeenCalled();
});

it('does not import without the right, and says why', async () => {
  await open({}, 'Not yours to keep');
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Import template' });
  await waitFor(() => expect(button.disabled).toBe(true));
  expect(button.title).toBe('Not yours to keep');
});
