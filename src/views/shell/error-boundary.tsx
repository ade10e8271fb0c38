import { Component, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EntryButton } from '../parts/entry-button.tsx';
import { Notice } from '../parts/notice.tsx';
import classes from './crash.module.css';
import { faultReport } from './fault-report.ts';

const Crash = ({ report }: { report: string }) => {
  const { t } = useTranslation('shell');
  const [copied, setCopied] = useState<'yes' | 'no' | null>(null);
  const copy = () =>
    navigator.clipboard.writeText(report).then(
      () => setCopied('yes'),
      () => setCopied('no'),
    );
  return (
    <Notice
      urgent
      title={t('crashTitle')}
      text={t('crashText')}
      action={
        <div className={classes.answers}>
          <EntryButton onClick={() => window.location.reload()}>{t('reload')}</EntryButton>
          <EntryButton quiet onClick={() => void copy()}>
            {copied === 'yes' ? t('reportCopied') : t('copyReport')}
          </EntryButton>
          <details className={classes.report} {...(copied === 'no' && { open: true })}>
            <summary>{t('report')}</summary>
            <p>{t('reportText')}</p>
            <pre>{report}</pre>
          </details>
        </div>
      }
    />
  );
};

interface Failed {
  readonly report: string;
  /** Null until the place is known at which it failed. */
  readonly at: string | null;
}

/** Keeps a fault of one page from taking the whole product along, and offers a report of it. A new `place` gives the page another try. */
export class ErrorBoundary extends Component<{ place: string; children: ReactNode }, { failed: Failed | null }> {
  override state: { failed: Failed | null } = { failed: null };

  static getDerivedStateFromError(error: unknown) {
    const { pathname } = window.location;
    const report = faultReport({ error, place: pathname, at: new Date(), browser: navigator.userAgent });
    return { failed: { report, at: null } };
  }

  static getDerivedStateFromProps({ place }: { place: string }, { failed }: { failed: Failed | null }) {
    if (failed?.at === null) return { failed: { ...failed, at: place } };
    return failed && failed.at !== place ? { failed: null } : null;
  }

  override render() {
    return this.state.failed ? <Crash report={this.state.failed.report} /> : this.props.children;
  }
}
