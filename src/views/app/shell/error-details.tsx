import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import danish from '../../../../locales/da/error-report.json' with { type: 'json' };
import english from '../../../../locales/en/error-report.json' with { type: 'json' };
import norwegian from '../../../../locales/no/error-report.json' with { type: 'json' };
import swedish from '../../../../locales/sv/error-report.json' with { type: 'json' };
import { defaultLanguage, languageOf } from '../../language/languages.ts';
import { AuthButton } from '../../ui/auth-controls.tsx';
import classes from './crash.module.css';
import { type CaughtError, errorReport } from './error-report.ts';

/** All languages are bundled: after a crash nothing more may be loadable. */
const texts = { sv: swedish, en: english, da: danish, no: norwegian };

/** The error report, to copy or to read. */
export const ErrorDetails = ({ caught }: { caught: CaughtError }) => {
  const localized = texts[languageOf(useTranslation().i18n.language) ?? defaultLanguage];
  const [copied, setCopied] = useState<'yes' | 'no' | null>(null);
  const report = errorReport(caught);
  const copy = () =>
    navigator.clipboard.writeText(report).then(
      () => setCopied('yes'),
      () => setCopied('no'),
    );
  return (
    <>
      <AuthButton secondary onClick={() => void copy()}>
        {copied === 'yes' ? localized.copied : localized.copy}
      </AuthButton>
      <details className={classes.report} {...(copied === 'no' && { open: true })}>
        <summary>{localized.title}</summary>
        <p>{localized.text}</p>
        <pre>{report}</pre>
      </details>
    </>
  );
};
