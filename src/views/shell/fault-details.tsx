import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import danish from '../../../locales/da/fault.json' with { type: 'json' };
import english from '../../../locales/en/fault.json' with { type: 'json' };
import norwegian from '../../../locales/no/fault.json' with { type: 'json' };
import swedish from '../../../locales/sv/fault.json' with { type: 'json' };
import { defaultLanguage, languageOf } from '../language/languages.ts';
import { EntryButton } from '../parts/entry-button.tsx';
import classes from './crash.module.css';
import { type Fault, faultReport } from './fault-report.ts';

/** With the page that shows them, all languages at once: who sees this may be unable to fetch anything more. */
const texts = { sv: swedish, en: english, da: danish, no: norwegian };

/** The report of a fault: to copy, or to read where copying is forbidden. */
export const FaultDetails = ({ fault }: { fault: Fault }) => {
  const said = texts[languageOf(useTranslation().i18n.language) ?? defaultLanguage];
  const [copied, setCopied] = useState<'yes' | 'no' | null>(null);
  const report = faultReport(fault);
  const copy = () =>
    navigator.clipboard.writeText(report).then(
      () => setCopied('yes'),
      () => setCopied('no'),
    );
  return (
    <>
      <EntryButton quiet onClick={() => void copy()}>
        {copied === 'yes' ? said.copied : said.copy}
      </EntryButton>
      <details className={classes.report} {...(copied === 'no' && { open: true })}>
        <summary>{said.title}</summary>
        <p>{said.text}</p>
        <pre>{report}</pre>
      </details>
    </>
  );
};
