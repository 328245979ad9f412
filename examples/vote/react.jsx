import '@earshot/vote';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

/** A vote button for an idea, which says thanks. */
function Vote({ post }) {
  const [isVoted, setVoted] = useState(false);
  return (
    <p>
      <earshot-vote
        board="https://feedback.example.com/b/acme"
        publishable-key="epk_YOUR_KEY"
        post={post}
        onvote={({ detail }) => setVoted(detail.viewerVote === 'UP')}
      >
        Vote
      </earshot-vote>
      {isVoted && ' Thank you'}
    </p>
  );
}

createRoot(document.getElementById('app')).render(<Vote post={1} />);
