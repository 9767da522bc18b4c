"""What each numbered scenario of the sync protocol says, and the tests that assert it.

Read by `test_scenarios`. A test is named by its function; a case that phones in other languages
run as well by `vector: ` and its name. Sections and numbers are those of docs/protocol/sync.md.
"""

from __future__ import annotations

from collections.abc import Mapping

Clauses = Mapping[str, tuple[str, ...]]

SCENARIOS: Mapping[int, Clauses] = {
    1: {
        "A sleeps before its commit, B commits, a phone pulls to the end: the next pull has A": (
            "test_7_1_push_that_sleeps_before_its_commit_is_told_by_the_next_pull",
        ),
        "8 writers, polling readers: delivered is the table": (
            "test_7_1_every_reader_is_told_what_eight_writers_wrote",
        ),
    },
    2: {
        "cut after commit, resent": ("test_answer_lost_after_commit_is_asked_for_again",),
        "resent at once": ("test_7_2_resends_in_parallel_have_one_effect",),
        "in other batches: one entry for each op, equal results": (
            "test_7_2_resends_in_other_batches_leave_one_entry_for_each_op",
        ),
    },
    3: {
        "98 whole, one in part, one kept byte for byte; 200": (
            "test_7_3_one_poison_op_never_stops_its_neighbours",
        ),
        "the reviewer sees both": ("test_7_3_reviewer_sees_what_waits_with_what_was_in_it",),
    },
    4: {
        "5 and 9 in either order: same shown value, heads, review": (
            "test_7_4_two_counts_from_one_base_are_the_same_in_either_order",
            "test_7_4_two_values_from_one_base_open_a_review",
        ),
        "both 5: no review": ("test_7_4_same_value_from_two_phones_needs_no_review",),
    },
    5: {
        "1970 at sync, 1970 at capture, +400 days: accepted, raw kept": (
            "test_7_5_clock_that_is_years_off_is_taken_as_it_is_and_flagged",
        ),
        "none beats an honest later edit": ("test_7_5_wrong_clock_beats_no_honest_later_edit",),
        "set back between two edits: the second replaces the first": (
            "test_7_5_clock_set_back_between_two_edits_changes_no_order",
        ),
    },
    6: {
        "held, reads give nothing, released as if in order": (
            "test_7_6_what_was_captured_before_access_ended_counts_once_it_is_released",
        ),
    },
    7: {
        "e2, e1, create: same state, no review": (
            "test_7_7_own_edits_in_any_order_are_no_conflict",
        ),
        "over a lost or quarantined edit: no conflict with oneself": (
            "test_7_7_edit_over_a_lost_and_over_a_quarantined_edit_is_no_conflict",
        ),
        "over a pending one": ("test_edit_over_an_unsent_value_is_no_conflict_with_oneself",),
    },
    8: {
        "child before parent": ("test_7_8_child_before_parent_then_both",),
        "1,000 first writes of one id at once": (
            "test_7_8_a_thousand_first_writes_of_one_new_id_lose_none",
        ),
    },
    9: {
        "pages within limit and 1 MiB; resume repeats at most one page": (
            "test_7_9_first_sync_comes_in_bounded_pages_and_goes_on_after_a_kill",
        ),
    },
    10: {
        "413 before 8 MiB are inflated": ("test_7_10_gzip_bomb_is_refused_before_it_is_inflated",),
    },
    11: {
        "exactly k times limit rows: an empty end": (
            "test_7_11_pull_in_pages_ends_and_repeats_nothing",
            "test_7_11_exactly_full_pages_end_in_finite_requests",
        ),
    },
    12: {
        "the pushed row echoes back": ("test_7_12_ones_own_push_comes_back_once",),
        "late or twice it undoes no newer local edit": (
            "test_7_12_push_that_comes_again_undoes_nothing_newer",
            "vector: a late page does not undo a newer own edit",
        ),
        "a late answer never overwrites a newer record": (
            "test_7_12_older_put_does_not_overwrite_a_newer_one",
        ),
    },
    13: {
        "an old client blanks nothing": (
            "test_7_13_old_phone_does_not_blank_what_it_does_not_know",
        ),
        "a newer client's field is applied after the upgrade": (
            "test_7_13_field_of_a_newer_phone_is_merged_after_the_upgrade",
            "test_7_13_deferred_value_that_the_newer_server_cannot_use_is_parked",
        ),
    },
    14: {
        "nothing half applied": ("test_7_14_unknown_token_applies_nothing",),
        "the queue stays": (
            "test_7_14_401_in_the_middle_keeps_what_was_reached",
            "test_lost_token_pauses_and_keeps_the_queue",
        ),
    },
    15: {
        "equal ids by two devices: both stand": ("test_7_15_equal_ids_of_two_devices_both_stand",),
        "same actor and id, other content": ("test_7_15_same_id_with_other_content_is_kept_apart",),
    },
    16: {
        "both kept, linked as possible duplicate": (
            "test_7_16_two_reports_of_one_seizure_are_kept_and_linked",
            "test_7_16_reports_far_apart_of_other_kinds_or_by_one_person_are_not_linked",
        ),
    },
    17: {
        "epoch changed": ("test_7_17_old_cursor_is_answered_epoch_changed_and_applies_nothing",),
        "phones offer what they hold, nothing acknowledged is lost": (
            "test_7_17_restored_server_is_offered_everything_again",
            "test_7_17_phone_that_holds_what_it_was_acknowledged_loses_nothing",
        ),
        "old heads recorded as witnesses, no false alarm": (
            "test_7_17_heads_of_an_epoch_that_is_over_are_witnesses_and_no_alarm",
        ),
    },
    18: {
        "an error at op 60 of 100: no trace of the failed part": (
            "test_7_18_database_error_at_op_60_costs_that_op_alone",
            "test_7_18_later_op_on_the_same_record_is_taken_by_itself",
            "test_7_18_fault_of_the_program_stops_no_neighbour",
            "test_7_18_commit_that_fails_leaves_no_trace_and_no_lock",
        ),
    },
    19: {
        "phone killed at any byte": (
            "test_7_19_killed_phone_loses_nothing_it_saved",
            "test_cut_at_any_byte_loses_nothing_and_doubles_nothing",
        ),
        "server killed at any statement": (
            "test_7_19_killed_server_has_lost_nothing_and_done_nothing_twice",
        ),
    },
    20: {
        "the new keeper gets the whole case, the old one `leave`": (
            "test_7_20_case_that_changes_pounds_comes_whole_and_leaves_whole",
            "test_7_20_every_pound_on_the_way_is_told",
            "test_7_20_intake_that_a_keeper_wrote_stays_with_them",
        ),
        "a role granted or taken takes effect at the next pull": (
            "test_7_20_role_granted_or_taken_takes_effect_at_the_next_pull",
            "test_7_20_person_without_a_role_reads_nothing_and_keeps_their_own",
        ),
    },
    21: {
        "the constable edits again: review reopens, decision shown": (
            "test_7_21_edit_after_a_decision_reopens_it_and_the_decision_is_shown",
        ),
        "a late earlier `evidence` value": ("test_7_21_late_evidence_reopens_a_decision",),
        "the author sees decision and reason": (
            "test_7_21_decision_and_reason_come_with_the_authors_next_pull",
            "test_7_21_decision_by_op_counts_like_one_by_rest",
        ),
    },
    22: {
        "cloned storage: no value lost, flag `cloned`": (
            "test_7_22_copied_phone_loses_no_value_and_is_flagged",
            "test_7_22_values_of_a_copied_phone_stand_beside_each_other",
        ),
        "two tabs": ("test_two_tabs_save_a_draft_once_and_send_each_piece_once",),
    },
    23: {
        "no field ever empties": (
            "test_7_23_cyclic_and_dishonest_bases_empty_no_field",
            "test_no_field_ever_empties",
        ),
    },
    24: {
        "both orders": (
            "test_7_24_withdrawal_and_an_edit_that_did_not_know_of_each_other_are_reviewed",
        ),
        "then an edit by one who saw it": (
            "test_7_24_edit_by_one_who_saw_the_withdrawal_is_no_conflict",
        ),
        "undo": ("test_7_24_withdrawal_is_undone",),
    },
    25: {
        "same key with two contents": ("test_7_25_two_contents_under_one_key_are_both_kept",),
        "strike, then an unseen add: shown again": (
            "test_7_25_strike_of_one_who_did_not_see_a_later_add_leaves_it_shown",
        ),
    },
    26: {
        "replay and ledger still verify and say what is gone": (
            "test_7_26_erased_field_is_gone_everywhere_and_all_verifies",
            "test_7_26_erased_op_keeps_its_structure_alone",
            "test_7_26_elements_strikes_and_reasons_go_as_well",
            "test_7_26_command_erases_and_everything_still_verifies",
        ),
        "phones hear of it; a resend stores nothing": (
            "test_7_26_phones_hear_that_a_value_is_gone",
            "test_7_26_resend_of_an_erased_op_answers_what_it_did_and_stores_nothing",
        ),
        "every other op merges as it did": (
            "test_7_26_later_value_stands_after_an_earlier_one_was_erased",
            "test_7_26_conflict_over_an_erased_value_does_not_close_by_itself",
        ),
        "a restore forgets it again": (
            "test_7_26_op_that_comes_again_after_a_restore_comes_without_its_values",
            "test_7_26_restored_database_forgets_again_what_was_erased_since",
        ),
    },
    27: {
        "`fixes` has it, the first location stays, no review": (
            "test_7_27_better_fix_goes_beside_the_first_place",
        ),
    },
    28: {
        "a clone's 5 and 9 are both heads": ("test_7_28_values_of_a_copied_phone_are_both_heads",),
        "A1:5, B2:9, decision R3:5, late C0:3: review open, 5 shown": (
            "test_7_28_late_third_value_reopens_what_was_decided",
        ),
    },
    29: {
        "5 and 9, in both orders: both heads, review": (
            "test_7_29_officers_five_and_keepers_nine_stand_until_a_decision_and_reopen",
            "test_7_29_keepers_nine_that_comes_first_stands_beside_the_five",
        ),
        "decision; the officer's late op reopens it": (
            "test_7_29_officers_five_and_keepers_nine_stand_until_a_decision_and_reopen",
        ),
        "A1:5 B1:9 A2:9 over A1 in every order: closed": (
            "test_7_29_own_new_value_that_equals_the_other_closes_the_review",
        ),
        "who may count where the lot turns out to be": (
            "test_7_29_count_of_a_keeper_elsewhere_is_held_once_the_lot_is_known",
            "test_7_29_keeper_first_then_report_and_lot_together",
        ),
    },
    30: {
        "held, shown on its phone": (
            "test_7_30_pending_phone_keeps_its_report_until_it_is_confirmed",
        ),
        "released in order on confirmation": (
            "test_7_30_ops_of_a_pending_device_are_held_and_released_in_order",
        ),
        "rejected on rejection with reason": (
            "test_7_30_ops_of_a_rejected_device_are_turned_down_with_the_reason",
        ),
    },
    31: {
        "re-enrols with `previous`, nothing acknowledged is lost": (
            "test_7_31_phone_enrolled_after_the_backup_comes_back_and_loses_nothing",
            "test_7_31_forged_signature_of_a_lost_phone_stays_held",
        ),
        "nothing revoked comes back": (
            "test_7_31_phone_that_was_revoked_since_the_backup_does_not_come_back",
            "test_7_31_nothing_revoked_or_erased_since_the_backup_comes_back",
        ),
    },
}
