import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SharedContent } from '../../../contract/shared-links.ts';
import { failureOfQuery } from '../app/queries-context.tsx';
import { useFailureText } from '../language/failure-text.ts';
import { LanguageRow } from '../language/language-row.tsx';
import { setLanguage } from '../language/translation.ts';
import radiograph from '../theme/radiograph.webp';
import { AuthButton, AuthField } from '../ui/auth-controls.tsx';
import { AuthFrame } from '../ui/auth-frame.tsx';
import { Notice } from '../ui/notice.tsx';
import type { SharedLinkAddress } from './link-of.ts';
import type { SharedAccess } from './shared-access.ts';
import classes from './shared-page.module.css';

interface CodePageProps {
  readonly link: SharedLinkAddress | null;
  /** The images were shown before, until the visit or the link ended. */
  readonly wasClosed: boolean;
  readonly open: SharedAccess['open'];
  readonly onOpened: (content: SharedContent) => void;
}

/** Asks for the code of a link. */
export const CodePage = ({ link, wasClosed, open, onOpened }: CodePageProps) => {
  const { t, i18n } = useTranslation(['shared', 'sign-in']);
  const failureText = useFailureText();
  const [code, setCode] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!link || isBusy || code.trim() === '') return;
    setIsBusy(true);
    try {
      onOpened(await open(link, code));
    } catch (reason) {
      setError(failureText(failureOfQuery(reason)));
      setIsBusy(false);
    }
  };
  return (
    <AuthFrame
      title={t('title')}
      tagline={t('sign-in:tagline')}
      picture={radiograph}
      introduction={link && (wasClosed ? t('closed') : t('lead'))}
      foot={<LanguageRow label={t('sign-in:language')} onChoose={(language) => void setLanguage(i18n, language)} />}
    >
      {link ? (
        <form className={classes.code} noValidate onSubmit={(event) => void submit(event)}>
          <AuthField
            label={t('code')}
            error={error}
            value={code}
            autoFocus
            autoComplete="one-time-code"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            maxLength={40}
            onChange={(event) => {
              setCode(event.currentTarget.value);
              setError(null);
            }}
          />
          <AuthButton type="submit" busy={isBusy}>
            {t('open')}
          </AuthButton>
        </form>
      ) : (
        <Notice urgent title={t('incomplete')} />
      )}
    </AuthFrame>
  );
};
