import { useEffect, useState } from 'react';
import { useGallery } from '../../app/loaded-services.ts';

type Fetched =
  | { readonly is: 'loading' }
  | { readonly is: 'ready'; readonly content: Blob; readonly url: string }
  | { readonly is: 'failed'; readonly error: unknown };

/** Fetches a PDF or video; its object URL is valid until another one is fetched or the component unmounts. */
export const useDocument = (imageUid: string) => {
  const gallery = useGallery();
  const [attempt, setAttempt] = useState(0);
  const [fetched, setFetched] = useState<Fetched>({ is: 'loading' });
  useEffect(() => {
    const stop = new AbortController();
    let url: string | null = null;
    setFetched({ is: 'loading' });
    gallery.document(imageUid, stop.signal).then(
      (content) => {
        if (stop.signal.aborted) return;
        url = URL.createObjectURL(content);
        setFetched({ is: 'ready', content, url });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setFetched({ is: 'failed', error });
      },
    );
    return () => {
      stop.abort();
      if (url) URL.revokeObjectURL(url);
    };
  }, [gallery, imageUid, attempt]);
  return { fetched, retry: () => setAttempt((before) => before + 1) };
};
