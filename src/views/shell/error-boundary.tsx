import { Component, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { EntryButton } from '../parts/entry-button.tsx';
import { Notice } from '../parts/notice.tsx';

const Crash = () => {
  const { t } = useTranslation('shell');
  return (
    <Notice
      urgent
      title={t('crashTitle')}
      text={t('crashText')}
      action={<EntryButton onClick={() => window.location.reload()}>{t('reload')}</EntryButton>}
    />
  );
};

/** Keeps a fault of one page from taking the whole product along. A new `place` gives the page another try. */
export class ErrorBoundary extends Component<{ place: string; children: ReactNode }, { failedAt: string | null }> {
  override state: { failedAt: string | null } = { failedAt: null };

  static getDerivedStateFromError() {
    return { failedAt: '' };
  }

  static getDerivedStateFromProps({ place }: { place: string }, { failedAt }: { failedAt: string | null }) {
    if (failedAt === '') return { failedAt: place };
    return failedAt !== null && failedAt !== place ? { failedAt: null } : null;
  }

  override render() {
    return this.state.failedAt === null ? this.props.children : <Crash />;
  }
}
