import { mount } from 'svelte';
import VoteButton from './VoteButton.svelte';

mount(VoteButton, { target: document.getElementById('app'), props: { post: 1 } });
