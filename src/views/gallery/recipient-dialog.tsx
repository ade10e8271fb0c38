import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DownloadScope } from '../../../contract/gallery.ts';
import type { DownloadRequest } from '../../services/queries.ts';
import { useDownload } from '../app/use-download.ts';
import { CopyField } from '../ui/copy-field.tsx';
import { Notice } from '../ui/notice.tsx';
import classes from './recipient-dialog.module.css';
import { RecipientForm } from './recipient-form.tsx';
import { type KnownFiles, usePreview } from './use-preview.ts';

interface RecipientDialogProps {
  readonly scope: DownloadScope;
  /** Null: the archive counts them. */
  readonly known: KnownFiles | null;
  readonly onClose: () => void;
}

/** A saved zip, the password that opens it, and for whom it is. */
interface Saved {
  readonly name: string;
  readonly password: string;
  readonly recipient: string;
}

/** Downloads images for a recipient, who is entered in the access log, encrypted unless the user declines. */
export const RecipientDialog = ({ scope, known: given, onClose }: RecipientDialogProps) => {
  const { t } = useTranslation(['gallery', 'shell']);
  const [saved, setSaved] = useState<Saved | null>(null);
  const download = useDownload();
  const preview = usePreview(scope, given === null);
  const known = given ?? preview.data ?? null;

  const submit = async (request: DownloadRequest) => {
    const name = await download.begin(request);
    if (name === null) return;
    if (request.password === undefined) onClose();
    else setSaved({ name, password: request.password, recipient: request.recipient?.trim() ?? '' });
  };
  const content = () => {
    if (preview.failure !== null) return <Notice urgent title={preview.failure} />;
    if (!saved)
      return (
        <RecipientForm scope={scope} known={known} download={download} onSubmit={(request) => void submit(request)} />
      );
    return (
      <>
        <CopyField
          takesFocus
          label={t('zipPassword', { name: saved.name })}
          description={t('zipPasswordHelp', { recipient: saved.recipient })}
          value={saved.password}
          copy={t('copyPassword')}
          copied={t('passwordCopied')}
        />
        <div className={classes.buttons}>
          <Button onClick={onClose}>{t('shell:close')}</Button>
        </div>
      </>
    );
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={known ? t('recipientTitle', { count: known.files }) : t('imagesForRecipient')}
      size={560}
      closeOnClickOutside={false}
      // The password cannot be shown again.
      closeOnEscape={saved === null}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      {content()}
    </Modal>
  );
};
