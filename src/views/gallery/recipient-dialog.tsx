import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DownloadScope } from '../../../contract/gallery.ts';
import { type SharedLinkMade, shownCode } from '../../../contract/shared-links.ts';
import { sharedAddress } from '../../../contract/shared-path.ts';
import type { DownloadRequest, LinkRequest } from '../../services/queries.ts';
import { useGallery } from '../app/loaded-services.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useDownload } from '../app/use-download.ts';
import { useFailureText } from '../language/failure-text.ts';
import { useMomentText } from '../language/file-error-text.ts';
import { CopyField } from '../ui/copy-field.tsx';
import { Notice } from '../ui/notice.tsx';
import { toast } from '../ui/toast.ts';
import classes from './recipient-dialog.module.css';
import { type KnownFiles, RecipientForm, usePreview } from './recipient-form.tsx';

/** Makes links, one at a time; resolves to null when it failed, which a message has said. */
export const useMakeLink = () => {
  const { t } = useTranslation(['share', 'shell']);
  const gallery = useGallery();
  const failureText = useFailureText();
  const [isMaking, setIsMaking] = useState(false);
  const make = async (request: LinkRequest): Promise<SharedLinkMade | null> => {
    setIsMaking(true);
    try {
      return await gallery.makeLink(request);
    } catch (error) {
      const reason = failureText(failureOfQuery(error));
      toast({ tone: 'bad', text: t('makeFailed', { reason }), close: t('shell:close') });
      return null;
    } finally {
      setIsMaking(false);
    }
  };
  return { isMaking, make };
};

interface MadeLinkProps {
  readonly made: SharedLinkMade;
  readonly recipient: string;
  readonly onClose: () => void;
}

/** A new link and its code, which cannot be shown again. */
export const MadeLink = ({ made, recipient, onClose }: MadeLinkProps) => {
  const { t } = useTranslation(['share', 'gallery', 'shell']);
  const momentText = useMomentText();
  const labels = { copy: t('gallery:copyPassword'), copied: t('gallery:passwordCopied') };
  return (
    <div className={classes.form}>
      <CopyField
        takesFocus
        label={t('link')}
        description={t('linkHelp', { recipient, until: momentText(made.expiresAt) })}
        value={sharedAddress(window.location.origin, made)}
        {...labels}
      />
      <CopyField label={t('code')} description={t('codeHelp')} value={shownCode(made.code)} {...labels} />
      <div className={classes.buttons}>
        <Button onClick={onClose}>{t('shell:close')}</Button>
      </div>
    </div>
  );
};

interface RecipientDialogProps {
  readonly scope: DownloadScope;
  /** Null: the archive counts them. */
  readonly known: KnownFiles | null;
  /** The scope is a patient whose whole record the user may take. */
  readonly offersRecord?: boolean;
  readonly onClose: () => void;
}

/** What the recipient needs and what is shown once: the password of a saved zip, or a link with its code. */
type Given =
  | { readonly kind: 'zip'; readonly name: string; readonly password: string; readonly recipient: string }
  | { readonly kind: 'link'; readonly made: SharedLinkMade; readonly recipient: string };

/** Gives images to a recipient, who is entered in the access log: as a zip, encrypted unless the user declines, or by a link. */
export const RecipientDialog = ({ scope, known: given, offersRecord = false, onClose }: RecipientDialogProps) => {
  const { t } = useTranslation(['gallery', 'shell']);
  const [done, setDone] = useState<Given | null>(null);
  const download = useDownload();
  const link = useMakeLink();
  const preview = usePreview(scope, true);
  const known = given ?? preview.data ?? null;

  const save = async (request: DownloadRequest) => {
    const name = await download.begin(request);
    if (name === null) return;
    const { password, recipient = '' } = request;
    if (password === undefined) onClose();
    else setDone({ kind: 'zip', name, password, recipient });
  };
  const share = async (request: LinkRequest) => {
    const made = await link.make(request);
    if (made) setDone({ kind: 'link', made, recipient: request.recipient });
  };
  const content = () => {
    if (given === null && preview.failure !== null) return <Notice urgent title={preview.failure} />;
    if (known?.files === 0 && !offersRecord) return <Notice title={t('noneFound')} />;
    if (!done)
      return (
        <RecipientForm
          scope={scope}
          known={known}
          canShare={preview.data?.canShare ?? false}
          offersRecord={offersRecord}
          download={download}
          isMakingLink={link.isMaking}
          onSave={(request) => void save(request)}
          onShare={(request) => void share(request)}
        />
      );
    if (done.kind === 'link') return <MadeLink made={done.made} recipient={done.recipient} onClose={onClose} />;
    return (
      <>
        <CopyField
          takesFocus
          label={t('zipPassword', { name: done.name })}
          description={t('zipPasswordHelp', { recipient: done.recipient })}
          value={done.password}
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
      title={
        known
          ? t(known.files === 0 ? 'recordTitle' : 'recipientTitle', { count: known.files })
          : t('imagesForRecipient')
      }
      size={560}
      closeOnClickOutside={false}
      // Password and code cannot be shown again.
      closeOnEscape={done === null}
      closeButtonProps={{ 'aria-label': t('shell:close') }}
    >
      {content()}
    </Modal>
  );
};
