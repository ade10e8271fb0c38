import { Button, Checkbox, Modal, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDownload } from '../app/use-download.ts';
import { CopyField } from '../ui/copy-field.tsx';
import { fileSize } from '../ui/file-size.ts';
import { DownloadProgressBar } from './download-progress.tsx';
import { newZipPassword } from './new-zip-password.ts';
import classes from './recipient-dialog.module.css';

interface RecipientDialogProps {
  readonly imageUIDs: readonly string[];
  readonly totalBytes: number;
  readonly onClose: () => void;
}

/** A saved zip and the password that opens it; null without encryption. */
interface Saved {
  readonly name: string;
  readonly password: string;
}

const maxLength = 200;

/** Downloads originals for a recipient, who is entered in the access log, encrypted unless the user declines. */
export const RecipientDialog = ({ imageUIDs, totalBytes, onClose }: RecipientDialogProps) => {
  const { t, i18n } = useTranslation(['gallery', 'shell']);
  const [recipient, setRecipient] = useState('');
  const [purpose, setPurpose] = useState('');
  const [isEncrypted, setEncrypted] = useState(true);
  const [saved, setSaved] = useState<Saved | null>(null);
  const { progress, begin, stop } = useDownload();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (recipient.trim() === '' || progress !== null) return;
    const password = isEncrypted ? newZipPassword() : undefined;
    const name = await begin({
      imageUIDs: [...imageUIDs],
      recipient,
      ...(purpose.trim() !== '' && { purpose }),
      ...(password !== undefined && { password }),
    });
    if (name === null) return;
    if (password === undefined) onClose();
    else setSaved({ name, password });
  };
  const content = () => {
    if (saved)
      return (
        <>
          <CopyField
            takesFocus
            label={t('zipPassword', { name: saved.name })}
            description={t('zipPasswordHelp', { recipient: recipient.trim() })}
            value={saved.password}
            copy={t('copyPassword')}
            copied={t('passwordCopied')}
          />
          <div className={classes.buttons}>
            <Button onClick={onClose}>{t('shell:close')}</Button>
          </div>
        </>
      );
    return (
      <form className={classes.form} onSubmit={(event) => void submit(event)}>
        <p className={classes.text}>{t('recipientText')}</p>
        <TextInput
          data-autofocus
          required
          label={t('recipient')}
          placeholder={t('recipientExample')}
          maxLength={maxLength}
          autoComplete="off"
          disabled={progress !== null}
          value={recipient}
          onChange={(event) => setRecipient(event.currentTarget.value)}
        />
        <TextInput
          label={t('purpose')}
          placeholder={t('purposeExample')}
          maxLength={maxLength}
          autoComplete="off"
          disabled={progress !== null}
          value={purpose}
          onChange={(event) => setPurpose(event.currentTarget.value)}
        />
        <Checkbox
          label={t('encrypt')}
          description={t('encryptHelp')}
          disabled={progress !== null}
          checked={isEncrypted}
          onChange={(event) => setEncrypted(event.currentTarget.checked)}
        />
        <div className={classes.buttons}>
          {progress === null ? (
            <Button type="submit" disabled={recipient.trim() === ''}>
              {t('download', { size: fileSize(totalBytes, i18n.language) })}
            </Button>
          ) : (
            <DownloadProgressBar progress={progress} expectedBytes={totalBytes} onStop={stop} />
          )}
        </div>
      </form>
    );
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('recipientTitle', { count: imageUIDs.length })}
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
