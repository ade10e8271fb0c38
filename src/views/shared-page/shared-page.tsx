import { useState } from 'react';
import type { SharedContent } from '../../../contract/shared-links.ts';
import { CodePage } from './code-page.tsx';
import type { SharedLinkAddress } from './link-of.ts';
import type { SharedAccess } from './shared-access.ts';
import { SharedImages } from './shared-images.tsx';

interface SharedPageProps {
  /** Null: the address is not complete. */
  readonly link: SharedLinkAddress | null;
  readonly access: SharedAccess;
}

/** The page of a link: asks for the code, then shows the images until the visit or the link ends. */
export const SharedPage = ({ link, access }: SharedPageProps) => {
  const [content, setContent] = useState<SharedContent | null>(null);
  const [wasClosed, setWasClosed] = useState(false);
  const leave = (closed: boolean) => {
    access.leave();
    setWasClosed(closed);
    setContent(null);
  };
  if (content === null) return <CodePage link={link} wasClosed={wasClosed} open={access.open} onOpened={setContent} />;
  return <SharedImages content={content} access={access} onInvalid={() => leave(true)} onLeave={() => leave(false)} />;
};
