import { configure } from '@testing-library/react';

// A busy machine needs more than the second that Testing Library waits for an element.
configure({ asyncUtilTimeout: 20_000 });
