import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type SharedLinkMade, shownCode } from '../../../contract/shared-links.ts';
import { sharedAddress } from '../../../contract/shared-path.ts';
import { useMomentText } from '../language/file-error-text.ts';
import { CopyField } from '../ui/copy-field.tsx';
import classes from './recipient-dialog.module.css';

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
