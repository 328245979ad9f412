import { createApp } from 'vue';
// The compiler of your build takes the option `isCustomElement: (tag) => tag.startsWith('earshot-')`.
import VoteButton from './VoteButton.vue';

createApp(VoteButton, { post: 1 }).mount('#app');
